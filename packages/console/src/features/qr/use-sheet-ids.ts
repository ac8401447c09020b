import { useEffect, useState } from 'react';
import { type SearchOf, samePage, useNavigate } from '../../ui/routing.ts';
import { qrSearch, readIds } from './qr-search.ts';

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
      const search = (current: SearchOf<typeof qrSearch>) => ({ ...current, view: 'sheet' as const, ids: next.join() });
      void navigate({ to: samePage(qrSearch), search, replace: true });
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, ids, navigate]);
  return { typed, setTyped, ids };
};
