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
/** From here antd's own text grows too. */
export const useWideScreen = (): boolean => useMedia('(min-width: 2200px)');
export const useSystemDark = (): boolean => useMedia('(prefers-color-scheme: dark)');
/** Whoever asks the system for less motion gets none from antd; tokens.css does the same for ours. */
export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)');

/** Light or dark, as chosen or as the system has it. */
export const useScheme = (): Scheme => {
  const choice = usePreferences((state) => state.theme);
  const systemDark = useSystemDark();
  if (choice !== 'system') return choice;
  return systemDark ? 'dark' : 'light';
};

/** Whether the hub can be reached (hub-watch.ts): what asks it for a change is disabled while it cannot. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  );
