import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useMobile } from '../ui/media.ts';

const KEY = 'sidebarStatus';

/** Stored as 1 (open, the default) or 0. On a phone it is a drawer that starts closed and closes on navigation. */
export const useSidebar = () => {
  const mobile = useMobile();
  const { pathname } = useLocation();
  const [desktopOpen, setDesktopOpen] = useState(() => localStorage.getItem(KEY) !== '0');
  const [drawerOpen, setDrawerOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the event.
  useEffect(() => setDrawerOpen(false), [pathname]);
  const toggle = () => {
    if (mobile) return setDrawerOpen(!drawerOpen);
    localStorage.setItem(KEY, desktopOpen ? '0' : '1');
    setDesktopOpen(!desktopOpen);
  };
  return { mobile, open: mobile ? drawerOpen : desktopOpen, toggle, close: () => setDrawerOpen(false) };
};
