import { configDefaults, defineConfig } from 'vitest/config';

const serverTests = (...names: string[]): string[] => names.map((name) => `packages/server/test/${name}.test.ts`);

/** What they are about is the same on every database, so they are run on one. */
const onAnyDatabase = serverTests(
  ...[
    'contract',
    'deploy',
    'http',
    'http-server',
    'outward',
    'page-commands',
    'protocol-page',
    'random-models',
    'settings',
    'validation',
  ],
  ...['firmware-check', 'firmware-s3', 'link-flood', 'other-clients', 'sync-addresses'],
  ...['zone-certificates', 'zone-node-test', 'zone-rabbit'],
  ...['mqtt', 'mqtt-*', 'simulator', 'simulator-*'],
  ...['access-matrix', 'replay/bombs', 'replay/browser', 'replay/held-open', 'replay/mails', 'security-page'],
  ...[
    'sdk-firmware-key',
    'sdk-network',
    'sdk-outage',
    'sdk-parts',
    'sdk-upgrade',
    'sdk-upgrade-download',
    'sdk-upgrade-storage',
    'sdk-upgrade-verify',
  ],
);

/** More about brokers, networks and clocks than about what is stored: on the second database in the long run. */
const onOneWhenShort = serverTests(
  ...['link-token', 'mock-upgrade', 'stream', 'sync-failures', 'sync-inner', 'sync-proxy', 'zone-broker'],
);

/** Tests that take minutes, and tests of what only PostgreSQL can do, say so in their name. */
const elsewhere = [
  ...(process.env.TEST_LONG ? [] : ['**/*.long.test.ts']),
  ...(process.env.TEST_DATABASE_URL ? onAnyDatabase : ['**/*.postgres.test.ts']),
  ...(process.env.TEST_DATABASE_URL && !process.env.TEST_LONG ? onOneWhenShort : []),
];

export default defineConfig({
  test: {
    // A failure says what it saw: what a busy machine has shown once may not come again.
    chaiConfig: { truncateThreshold: 400 },
    // One more than most machines have cores: tests wait a good part of their time, for devices and for time-outs. On
    // PostgreSQL many of them bring up several hubs each, and the server beside them.
    maxWorkers: process.env.TEST_DATABASE_URL ? 2 : 3,
    projects: [
      // Compilers and thousands of random models: seconds on an idle machine, more on a busy one.
      { test: { name: 'contract', include: ['packages/contract/src/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], testTimeout: 60_000 } },
      {
        test: {
          name: 'server',
          include: ['packages/server/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...elsewhere],
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
