// Must be the first import: Testing Library loads React too.
import './react.ts';

import { setImmediate } from 'node:timers/promises';
import { cleanup, configure, getConfig } from '@testing-library/react';
import fc from 'fast-check';
import type { Window as HappyWindow } from 'happy-dom';
import { afterEach, beforeAll, beforeEach, inject, vi } from 'vitest';
import { clearStorage } from '../src/api/session.ts';
import { startTexts } from '../src/i18n/start.ts';
import { computeInlineStyles } from './computed-style.ts';

const { asyncWrapper, getElementError } = getConfig();
const isWaiting = (): boolean =>
  (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics === true;

/** React schedules non-urgent renders with setImmediate: an update, then updates from its effects and deferred values. */
const flushRenders = async (): Promise<void> => {
  for (let round = 0; round < 3; round++) await setImmediate();
};

configure({
  // Pages are loaded lazily and rendered by antd: the default of one second is too short on a busy machine.
  asyncUtilTimeout: 20_000,
  // A check for absence after an event is only valid once React has rendered all its effects.
  asyncWrapper: async (callback) => {
    const result = await asyncWrapper(callback);
    await flushRenders();
    return result;
  },
  // Printing the DOM is expensive: waitFor adds it on timeout, so failed attempts before that do without.
  getElementError: (message, container) =>
    isWaiting()
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
});

// A fixed seed makes a failing property reproducible.
fc.configureGlobal({ seed: 20_261_118 });

// The console uses relative URLs, so the page's origin must be the hub.
(window as unknown as HappyWindow).happyDOM.setURL(inject('hubUrl'));
computeInlineStyles(window);

beforeAll(async () => {
  // Loading antd takes seconds. Inside a test it would count against the timeout of the first query.
  await import('antd');
  localStorage.setItem('language', 'en_US');
  await startTexts();
});

beforeEach(() => {
  clearStorage();
  localStorage.setItem('language', 'en_US');
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
