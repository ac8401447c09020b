import { useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { useNavigate } from '../ui/routing.ts';
import { openPages } from './navigation.ts';
import { pages } from './pages.ts';
import { focusSearch, goKeys, moveRow, openRow } from './shortcuts.ts';

/** Longest time between `g` and the next key. */
const SEQUENCE_MS = 1_500;

const TYPING = 'input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox], [role=menu]';
const OVERLAY = '.ant-modal-wrap, .ant-drawer-open, .ant-dropdown:not(.ant-dropdown-hidden)';

/** Single-key shortcuts work only outside of input fields and while no overlay is open. */
const isFree = ({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean => {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return false;
  if (target instanceof Element && target.closest(TYPING)) return false;
  return [...document.querySelectorAll<HTMLElement>(OVERLAY)].every(({ style }) => style.display === 'none');
};

/** Handles all keyboard shortcuts except Ctrl+K. Returns the state of the help dialog. */
export const useShortcuts = (allowed: boolean) => {
  const navigate = useNavigate();
  const session = useSession();
  const [helpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    if (!allowed) return;
    let goUntil = 0;
    const goTo = (key: string): boolean => {
      const page = openPages(pages, session).find(({ path }) => path === goKeys[key]);
      if (page) void navigate({ to: page.path });
      return page !== undefined;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (!isFree(event)) return;
      const { key } = event;
      const going = performance.now() < goUntil;
      goUntil = 0;
      const actions: Record<string, () => boolean> = {
        '?': () => {
          setHelpOpen(true);
          return true;
        },
        '/': focusSearch,
        g: () => {
          goUntil = performance.now() + SEQUENCE_MS;
          return true;
        },
        j: () => moveRow(1),
        k: () => moveRow(-1),
        Enter: openRow,
      };
      const done = going ? goTo(key.toLowerCase()) : actions[key]?.();
      if (done) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [allowed, navigate, session]);
  return { helpOpen, showHelp: () => setHelpOpen(true), hideHelp: () => setHelpOpen(false) };
};
