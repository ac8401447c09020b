import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Scheme, usePreferences } from './preferences.ts';

const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );

/** Spec §2: mobile mode when the body is narrower than 992 px. */
export const useMobile = (): boolean => useMedia('(max-width: 991.98px)');
/** From this width on antd's text is larger too. */
export const useWideScreen = (): boolean => useMedia('(min-width: 2200px)');
export const useSystemDark = (): boolean => useMedia('(prefers-color-scheme: dark)');
/** Disables antd's animations if the system requests reduced motion; tokens.css does the same for the console's own. */
export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');

/** Light or dark, from the user's choice or the system. */
export const useScheme = (): Scheme => {
  const choice = usePreferences((state) => state.theme);
  const systemDark = useSystemDark();
  if (choice !== 'system') return choice;
  return systemDark ? 'dark' : 'light';
};

/** Whether the hub is reachable (hub-watch.ts). Controls that change data are disabled while it is not. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  );
