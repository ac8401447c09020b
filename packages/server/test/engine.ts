import { afterAll, beforeAll, describe } from 'vitest';

export type Engine = 'sqlite' | 'postgres';

/** A PostgreSQL server on which databases may be created and dropped; `npm test` starts one. */
const server = process.env.TEST_DATABASE_URL;

/** `npm run test:long` runs everything a second time, on PostgreSQL. */
const usual: Engine = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';
let current = usual;

/** The server of the current tests; undefined on SQLite. */
export const postgresServer = (): string | undefined => (current === 'postgres' ? server : undefined);

const describeOn = (engine: Engine, body: () => void): void => {
  const use = (): void => {
    current = engine;
  };
  const reset = (): void => {
    current = usual;
  };
  describe(`on ${engine}`, () => {
    beforeAll(use);
    afterAll(reset);
    use();
    body();
    reset();
  });
};

/**
 * For behaviour that depends on SQL: `body` runs on SQLite and again on PostgreSQL. Tests of HTTP, validation,
 * permissions or protocols need only the default, SQLite.
 */
export const describeOnEachEngine = (body: () => void): void => {
  if (usual === 'sqlite') describeOn('sqlite', body);
  if (server) describeOn('postgres', body);
};

/**
 * The same for slow tests: `npm test` runs them on the engine with the larger risk, `npm run test:long` on
 * both.
 */
export const describeOnOneEngine = (engine: Engine, body: () => void): void => {
  if (process.env.TEST_LONG) describeOnEachEngine(body);
  else describeOn(server && (engine === 'postgres' || usual === 'postgres') ? 'postgres' : 'sqlite', body);
};

/** For features of PostgreSQL only, such as several hubs on one database. Use it in files `*.postgres.test.ts`. */
export const describeOnPostgres = (body: () => void): void => describeOn('postgres', body);
