import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that take minutes, and tests of what only PostgreSQL has, say so in their name. */
const excluded = [
  ...configDefaults.exclude,
  ...(process.env.TEST_LONG ? [] : ['**/*.long.test.ts']),
  ...(process.env.TEST_DATABASE_URL ? [] : ['**/*.postgres.test.ts', '**/*.postgres.process.test.ts']),
];

const server = {
  globalSetup: ['packages/server/test/global-setup.ts'],
  setupFiles: ['packages/server/test/setup.ts'],
  // Node loads the product's sources by itself, as in production; only the tests are transformed.
  server: { deps: { external: [/\/packages\/[\w-]+\/src\//] } },
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Most conditions are asked for over HTTP: twice as often would take twice the processor time while waiting.
  expect: { poll: { interval: 100 } },
};

export default defineConfig({
  test: {
    // A failure says what it saw: what a busy machine has shown once may not come again.
    chaiConfig: { truncateThreshold: 400 },
    // More than most machines have cores: tests wait a good part of their time, for devices, mails and time-outs.
    maxWorkers: 4,
    projects: [
      // Compilers and thousands of random models: seconds on an idle machine, more on a busy one.
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          setupFiles: ['packages/contract/test/random.ts'],
          isolate: false,
          testTimeout: 60_000,
        },
      },
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], isolate: false, testTimeout: 60_000 } },
      {
        test: {
          name: 'server',
          include: ['packages/server/test/**/*.test.ts'],
          exclude: [...excluded, '**/*.process.test.ts'],
          // Files share a worker's modules and its hub; each test creates a tenant of its own.
          isolate: false,
          ...server,
        },
      },
      // Hubs with processes of their own, which are killed, restarted or started with other settings.
      {
        test: {
          name: 'server-process',
          include: ['packages/server/test/**/*.process.test.ts'],
          exclude: excluded,
          isolate: false,
          ...server,
        },
      },
      // The console needs React's plug-in and a DOM, so it describes itself.
      { extends: './packages/console/vitest.config.ts', test: { name: 'console', root: './packages/console' } },
    ],
  },
});
