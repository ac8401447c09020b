import { create } from 'zustand';

export type Scheme = 'light' | 'dark';
export type ThemeChoice = Scheme | 'system';
export type Density = 'comfortable' | 'compact';

export type Preferences = {
  theme: ThemeChoice;
  density: Density;
  /** Hidden columns, by table. */
  hiddenColumns: Record<string, string[]>;
  /** State of the getting-started guide; undefined until it was finished or dismissed. */
  guide?: 'dismissed' | 'done';
};

// The theme is also stored for the tab, so that a reload does not flash; the hub stores it for the user.
const THEME_OF_TAB = 'theme';

const themeOfTab = (): ThemeChoice => {
  const stored = sessionStorage.getItem(THEME_OF_TAB);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

const initial = (): Preferences => ({ theme: themeOfTab(), density: 'comfortable', hiddenColumns: {} });

/** `changed` counts changes by the user, not loaded values: only the former are saved. */
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
  // Replace the whole state, so that nothing of another user stays.
  usePreferences.setState({ ...initial(), changed: 0 }, true);
};
