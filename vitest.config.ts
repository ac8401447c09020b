import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // Compilers and thousands of random models: seconds on an idle machine, more on a busy one.
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], testTimeout: 60_000 } },
      {
        test: {
          name: 'server',
          include: ['packages/server/**/*.test.ts'],
          // Each file brings up a hub of its own, and the machine may have two cores.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      // The console needs React's plug-in and a DOM, so it describes itself.
      { extends: './packages/console/vitest.config.ts', test: { name: 'console', root: './packages/console' } },
    ],
  },
});
