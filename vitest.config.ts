import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take minutes, and tests of what only PostgreSQL has, say so in their name. */
const excluded = [
  ...configDefaults.exclude,
  ...(process.env.TEST_LONG ? [] : ['**/*.long.test.ts']),
  ...(process.env.TEST_DATABASE_URL ? [] : ['**/*.postgres.test.ts', '**/*.postgres.process.test.ts']),
];

/** Generous: a busy machine must not fail a test. */
const patient = { testTimeout: 120_000, hookTimeout: 180_000 };

const spawnsHubs = ({ moduleId }: TestSpecification): boolean => moduleId.includes('.process.test.');

/**
 * Files that spawn hubs wait a lot, others keep a processor busy: they take turns, and the ones that spawn begin first,
 * so that none of them is left alone at the end.
 */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [spawning, others] = [sorted.filter(spawnsHubs), sorted.filter((file) => !spawnsHubs(file))];
    const found = others.findIndex(({ project }) => project.name === 'server');
    const first = found < 0 ? others.length : found;
    const turns = spawning.flatMap((file, index) => [file, ...others.slice(first + index, first + index + 1)]);
    return [...others.slice(0, first), ...turns, ...others.slice(first + spawning.length)];
  }
}

export default defineConfig({
  test: {
    // A failure says what it saw: what a busy machine has shown once may not come again.
    chaiConfig: { truncateThreshold: 400 },
    // More than most machines have cores: tests wait a good part of their time, for devices, mails and time-outs.
    maxWorkers: 4,
    sequence: { sequencer: Sequencer },
    projects: [
      // Compilers and thousands of random models: seconds on an idle machine, more on a busy one.
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          setupFiles: ['packages/contract/test/random.ts'],
          isolate: false,
          ...patient,
        },
      },
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], isolate: false, ...patient } },
      {
        test: {
          name: 'server',
          include: ['packages/server/test/**/*.test.ts'],
          exclude: excluded,
          // Files share a worker's modules and its hub; each test creates a tenant of its own.
          isolate: false,
          globalSetup: ['packages/server/test/global-setup.ts'],
          setupFiles: ['packages/server/test/setup.ts'],
          // Node loads the product's sources by itself, as in production; only the tests are transformed.
          server: { deps: { external: [/\/packages\/[\w-]+\/src\//] } },
          // Tests make much garbage that is short-lived; more threads that collect it only take turns on two cores.
          execArgv: ['--max-semi-space-size=32', '--single-threaded-gc'],
          ...patient,
          // Most conditions are asked for over HTTP: twice as often would take twice the processor time while waiting.
          // Vitest's own timeout of a second is too short on a busy machine.
          expect: { poll: { interval: 100, timeout: 30_000 } },
        },
      },
      // The console needs React's plug-in and a DOM, so it describes itself.
      { extends: './packages/console/vitest.config.ts', test: { name: 'console', root: './packages/console' } },
    ],
  },
});
