import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { startTexts } from './i18n/start.ts';

// A page is fetched lazily and drawn by antd: a second is not enough on a busy machine.
configure({ asyncUtilTimeout: 8_000 });

beforeAll(async () => {
  localStorage.setItem('language', 'en_US');
  await startTexts();
});

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('language', 'en_US');
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
