import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/lib/system.mjs';

// No webServer: each worker starts one hub on a free port, with a database of its own, for all its tests.
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: './.results',
  workers: 2,
  retries: 0,
  fullyParallel: false,
  forbidOnly: true,
  // For a busy machine: a wait ends as soon as its condition holds.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    browserName: 'chromium',
    actionTimeout: 30_000,
    viewport: { width: 1440, height: 900 },
    // While a dialog is still growing, a click misses its button.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace records every action of every test, also of those that pass: TRACE=1 when a failure needs it.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        // The sandbox cannot start as root and in most containers; the only pages opened here are the hub's own.
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages of a hub share the process of the page that stays open, see support.ts.
        '--process-per-site',
      ],
    },
  },
});
