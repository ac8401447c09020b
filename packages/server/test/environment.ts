import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { connect } from '../src/db/connect.ts';
import { createLog } from '../src/platform/log.ts';
import { readSettings } from '../src/platform/settings.ts';
import { prepareInstallation } from '../src/startup/prepare.ts';
import { postgresServer } from './engine.ts';

export const ADMIN_PASSWORD = 'Adm1n-pass';

/** The settings of a hub's data: a folder and, on PostgreSQL, a database. */
export type Environment = { env: Record<string, string>; dispose: () => Promise<void> };

const inServer = async (server: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(sql).finally(() => client.end());
};

const createDatabase = async (server: string, options = '') => {
  const name = `hub_${randomBytes(8).toString('hex')}`;
  await inServer(server, `create database ${name} ${options}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => inServer(server, `drop database if exists ${name} with (force)`) };
};

/** Without any data, for tests of the first start. `space`: the tablespace of the database. */
export const createEnvironment = async (
  server: string | null = postgresServer() ?? null,
  space = 'pg_default',
): Promise<Environment> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'device-center-'));
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (!server) return { env: { DATA_DIR: dataDir }, dispose: async () => removeFolder() };
  const { url, drop } = await createDatabase(server, `tablespace ${space}`);
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: url },
    dispose: async () => {
      await drop();
      removeFolder();
    },
  };
};

/** Migrates and prepares a database as a hub does at its start. */
export const prepare = async (
  env: Record<string, string>,
  showAccount: (username: string) => void = () => undefined,
): Promise<void> => {
  const settings = readSettings(env);
  const db = connect(settings);
  await prepareInstallation(settings, { db, log: createLog('test', 'warn'), showAccount }).finally(() => db.destroy());
};

type Template = { dataDir: string; database: string | undefined };

/** A hash with low cost parameters: the login of a test skips the deliberate delay of argon2id. */
export const cheapHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });

const createTemplate = async (server: string | null): Promise<Template> => {
  const { env } = await createEnvironment(server);
  await prepare({ ...env, ADMIN_PASSWORD });
  const db = connect(readSettings(env));
  await db
    .updateTable('user_account')
    .set({ password_hash: await cheapHash(ADMIN_PASSWORD) })
    .execute();
  await db.destroy();
  const database = env.DATABASE_URL && new URL(env.DATABASE_URL).pathname.slice(1);
  return { dataDir: env.DATA_DIR ?? '', database };
};

const templates = new Map<string | null, Promise<Template>>();

/**
 * Migrated, with the account `admin` and the standard categories: a copy of a template that each worker creates once.
 * `null` as server means SQLite, whichever engine the tests use.
 */
export const prepareEnvironment = async (server: string | null = postgresServer() ?? null): Promise<Environment> => {
  const template = await (templates.get(server) ?? templates.set(server, createTemplate(server)).get(server));
  if (!template) throw new Error('there is no template');
  const dataDir = mkdtempSync(join(tmpdir(), 'device-center-'));
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true });
  cpSync(template.dataDir, dataDir, { recursive: true });
  if (!server) return { env: { DATA_DIR: dataDir }, dispose: async () => removeFolder() };
  const { url, drop } = await createDatabase(server, `template ${template.database}`);
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: url },
    dispose: async () => {
      await drop();
      removeFolder();
    },
  };
};
