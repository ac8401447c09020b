import i18next from 'i18next';
import { RELOAD_DELAY_MS } from '../i18n/language.ts';
import { ApiError } from './api-error.ts';
import { saveReturnPath } from './return-path.ts';
import { clearStorage, currentSession } from './session.ts';

/** Spec §9: an error toast stays 2000 ms. */
export const TOAST_SECONDS = 2;

/** The mounted UI that shows the outcome of calls as toasts and dialogs. */
export type Presenter = { failed: (text: string) => void; succeeded: (text: string) => void; tokenExpired: () => void };

let presenter: Presenter | undefined;

/** Returns a function that unregisters the presenter. */
export const registerPresenter = (next: Presenter): (() => void) => {
  presenter = next;
  return () => {
    if (presenter === next) presenter = undefined;
  };
};

/** Applies the response rule of spec §8 to every failed call of the console. */
export const announceFailure = (error: unknown): void => {
  if (!(error instanceof ApiError)) return;
  if (error.status === 401) presenter?.tokenExpired();
  else presenter?.failed(error.message || i18next.t('common:error'));
};

export const announceSuccess = (text: string): void => presenter?.succeeded(text);

/**
 * Spec §8: after the token expired, all local storage is cleared and the root page is loaded. The next login of the
 * same user returns to the current page.
 */
export const restartAtLogin = (): void => {
  const userId = currentSession()?.userId;
  if (userId) saveReturnPath(userId);
  clearStorage();
  history.replaceState(null, '', '/');
  setTimeout(() => location.reload(), RELOAD_DELAY_MS);
};
