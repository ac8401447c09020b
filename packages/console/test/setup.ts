import { cleanup, configure } from '@testing-library/react';
import type { Window as HappyWindow } from 'happy-dom';
import { afterEach, beforeAll, beforeEach, inject, vi } from 'vitest';
import { forgetEverything } from '../src/api/session.ts';
import { startTexts } from '../src/i18n/start.ts';

// A page is fetched lazily and drawn by antd: a second is not enough on a busy machine.
configure({ asyncUtilTimeout: 8_000 });

// The console calls the hub by paths, as a page that the hub has served.
(window as unknown as HappyWindow).happyDOM.setURL(inject('hubUrl'));

beforeAll(async () => {
  localStorage.setItem('language', 'en_US');
  await startTexts();
});

beforeEach(() => {
  forgetEverything();
  localStorage.setItem('language', 'en_US');
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
