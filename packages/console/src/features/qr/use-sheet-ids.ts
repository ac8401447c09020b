import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type QrSearch, readIds } from './qr-search.ts';

const TYPING_PAUSE_MS = 400;

/** The typed text, and the parsed ids after typing pauses, which are also stored in the URL. */
export const useSheetIds = (given: string) => {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(() => readIds(given).join('\n'));
  const [ids, setIds] = useState(() => readIds(given));
  useEffect(() => {
    const next = readIds(typed);
    if (next.join() === ids.join()) return;
    const timer = setTimeout(() => {
      setIds(next);
      const search = (before: QrSearch): QrSearch => ({ ...before, view: 'sheet', ids: next.join() });
      void navigate({ to: '.', search: search as never, replace: true });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, ids, navigate]);
  return { typed, setTyped, ids };
};
