import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  // The production JSX runtime, for the production React of test/react.ts.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  // Node would take the build for Node, which knows no files of a browser.
  resolve: { alias: { 'tus-js-client': 'tus-js-client/lib.esm/browser/index.js' } },
  test: {
    environment: 'happy-dom',
    // Nothing ends an animation where nothing is drawn.
    environmentOptions: { happyDOM: { settings: { device: { prefersReducedMotion: 'reduce' } } } },
    include: ['src/**/*.test.{ts,tsx}'],
    globalSetup: ['test/hub-process.ts'],
    setupFiles: ['test/setup.ts'],
    css: false,
    maxWorkers: 3,
    // antd takes seconds to load: once a worker, not once a file. Each file has a window of its own all the same.
    isolate: false,
    // A second, as Vitest has it, is too short on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
