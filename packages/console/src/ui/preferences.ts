import { create } from 'zustand';

export type Scheme = 'light' | 'dark';
export type ThemeChoice = Scheme | 'system';
export type Density = 'comfortable' | 'compact';

export type Preferences = {
  theme: ThemeChoice;
  density: Density;
  /** Hidden columns, by table. */
  hiddenColumns: Record<string, string[]>;
  /** How the first five minutes ended; missing while they are still ahead. */
  guide?: 'dismissed' | 'done';
};

// The theme is kept for the tab, so that a reload does not flash; the truth is with the user on the hub.
const THEME_OF_TAB = 'theme';

const themeOfTab = (): ThemeChoice => {
  const stored = sessionStorage.getItem(THEME_OF_TAB);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

const initial = (): Preferences => ({ theme: themeOfTab(), density: 'comfortable', hiddenColumns: {} });

/** `changed` counts what the user chose, not what was loaded: only the former is saved. */
type PreferencesStore = Preferences & { changed: number };

export const usePreferences = create<PreferencesStore>(() => ({ ...initial(), changed: 0 }));

const keepThemeForTab = (): void => sessionStorage.setItem(THEME_OF_TAB, usePreferences.getState().theme);

export const changePreferences = (change: Partial<Preferences>): void => {
  usePreferences.setState((state) => ({ ...change, changed: state.changed + 1 }));
  keepThemeForTab();
};

export const loadPreferences = (stored: Partial<Preferences>): void => {
  usePreferences.setState(stored);
  keepThemeForTab();
};

export const resetPreferences = (): void => {
  sessionStorage.removeItem(THEME_OF_TAB);
  // In place of all: what another user had chosen must not stay.
  usePreferences.setState({ ...initial(), changed: 0 }, true);
};
