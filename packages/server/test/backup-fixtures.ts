import { DatabaseSync } from 'node:sqlite';
import { accountCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { type BackedUp, backUp } from '../src/backup/backup.ts';
import { restore } from '../src/backup/restore.ts';
import { connectBoth, databaseFile } from '../src/db/connect.ts';
import { readSettings } from '../src/platform/settings.ts';
import { createClient } from './client.ts';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { createVersion, insertUpgradeLink, linkSigner, randomContent } from './firmware-fixtures.ts';
import { type Hub, PASSWORD, type TestUser } from './hub.ts';
import { startInProcessHub } from './in-process-hub.ts';
import { uploadedIcon } from './pictures.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';

type Env = Record<string, string>;

/** What `npm run backup` does, in this process. */
export const backUpTo = (env: Env, folder: string): Promise<BackedUp> => backUp(readSettings(env), folder);

/** What `npm run restore` does, in this process. */
export const restoreFrom = (env: Env, folder: string, { replace = false } = {}): ReturnType<typeof restore> =>
  restore({ settings: readSettings(env), folder, replace });

/** All tables except those that a hub derives at its start. */
const TABLES = {
  sqlite: `select name from sqlite_master where type = 'table' and name not like 'sqlite%'
    and name not like 'device_search%' and name not in ('device_total', 'migration') order by name`,
  postgres: `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
    and relnamespace = current_schema()::regnamespace and relname not in ('device_total', 'migration') order by name`,
};

/**
 * Leases are not part of a backup, and the test keeps renewing the leader lease of its upgrade while the rows are
 * read.
 */
const PASSING = new Set(['lease_until', 'leader_until']);

type Row = Record<string, unknown>;

const textOf = (row: Row): string =>
  JSON.stringify(
    Object.keys(row)
      .sort()
      .map((name) => {
        const value = row[name];
        if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('hex')];
        return [name, PASSING.has(name) ? 0 : value];
      }),
  );

/** Opens the file directly: each connection of the product starts threads. */
const sqliteRows = (file: string): [string, Row[]][] => {
  const database = new DatabaseSync(file, { timeout: 30_000 });
  try {
    const names = database.prepare(TABLES.sqlite).all() as { name: string }[];
    return names.map(({ name }) => [name, database.prepare(`select * from ${name}`).all()]);
  } finally {
    database.close();
  }
};

const postgresRows = async (db: Kysely<never>): Promise<[string, Row[]][]> => {
  const names = await sql.raw<{ name: string }>(TABLES.postgres).execute(db);
  const found: [string, Row[]][] = [];
  for (const { name } of names.rows)
    found.push([name, (await sql<Row>`select * from ${sql.table(name)}`.execute(db)).rows]);
  return found;
};

const readRows = async ({ DATABASE_URL, DATA_DIR = '' }: Env): Promise<[string, Row[]][]> => {
  if (!DATABASE_URL)
    return [...sqliteRows(databaseFile(DATA_DIR, 'hub')), ...sqliteRows(databaseFile(DATA_DIR, 'records'))];
  const settings = { DATABASE_URL, DATA_DIR };
  const { db, records } = connectBoth(settings);
  try {
    const hub = await postgresRows(db as unknown as Kysely<never>);
    return [...hub, ...(await postgresRows(records as unknown as Kysely<never>))];
  } finally {
    await Promise.all([db.destroy(), records.destroy()]);
  }
};

/** Every row of every table of a database of either engine, sorted. */
export const allRows = async (env: Env): Promise<Map<string, string[]>> =>
  new Map((await readRows(env)).map(([name, rows]) => [name, rows.map(textOf).sort()]));

/** Compares table by table, for readable differences. */
export const expectSameRows = (found: Map<string, string[]>, wanted: Map<string, string[]>): void => {
  expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [name, rows] of wanted) expect([name, found.get(name)]).toEqual([name, rows]);
};

/** Data of every kind on a hub: an account, a picture, firmware, a device with its own secret and history. */
export type Scene = {
  user: TestUser;
  fixture: ProductFixture;
  device: RawDevice;
  version: Awaited<ReturnType<typeof createVersion>>;
  /** The device's upgrade to that version, in progress. */
  recordNo: number;
};

export const createBackupData = async (hub: Hub): Promise<Scene> => {
  const tenancyId = await hub.create.tenancy();
  const user = await hub.create.user({ tenancyId, menus: [501, 502] });
  const fixture = await createProductFixture(hub, { icon: await uploadedIcon(hub.admin) }, tenancyId);
  const version = await createVersion(hub, fixture, '1.2.3', randomContent(300_007));
  const device = await connectNewDevice(hub, fixture);
  await device.send({ type: 2, payload: { properties: { brightness: 7 } } });
  await device.send({ type: 3, payload: { event: 'lampFault', output: { reason: 'heat' } } });
  const line = '一行日志 \u2028 with "quotes", \\ and \t more';
  await device.send({ type: 6, payload: { logs: [{ level: 5, time: Date.now(), log: line }] } });
  const { firmwareUri } = version.file;
  const { recordNo } = await insertUpgradeLink(hub, { ...version, ...fixture, deviceId: device.deviceId, firmwareUri });
  return { user, fixture, device, version, recordNo };
};

/** Starts a hub and expects the account, the device with its old secret, its history and the file. */
export const expectRestored = async (env: Env, { user, device, version, recordNo }: Scene): Promise<void> => {
  const running = await startInProcessHub(env);
  try {
    const anonymous = createClient(running.url);
    const { token } = await anonymous.ok(accountCalls.login, { username: user.username, password: PASSWORD });
    const client = createClient(running.url, token);
    const { deviceId, productId, secret } = device;
    const found = await client.ok(deviceCalls.queryDeviceList, { deviceName: '', deviceId: deviceId.slice(2, 8) });
    expect(found.list.map((row) => row.deviceId)).toContain(deviceId);

    const values = () => client.ok(recordCalls.getPropertyHistory, { deviceId, signCode: 'brightness' });
    expect((await values()).at(-1)).toMatchObject({ value: 7 });
    const { list } = await client.ok(recordCalls.deviceMessageRecord, { deviceId, functionId: 'lampFault' });
    expect(list).toHaveLength(1);
    const logs = await client.ok(recordCalls.queryDeviceLogList, { deviceId });
    expect(logs.list.map(({ log }) => log)).toEqual(['一行日志 \u2028 with "quotes", \\ and \t more']);

    const back = await connectDevice(running.url, { deviceId, productId, secret });
    await back.send({ type: 2, payload: { properties: { brightness: 99 } } });
    await expect.poll(async () => (await values())[0]?.value).toBe(99);
    const fixture = { env: { ...env, DATA_DIR: env.DATA_DIR ?? '' }, url: running.url };
    const link = linkSigner(fixture).linkFor({
      fileId: version.file.firmwareUri.slice(3),
      deviceId,
      recordNo,
      attempt: 1,
    });
    const answer = await fetch(link, { headers: { Authorization: back.answer.token } });
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(version.bytes)]).toEqual([200, true]);
    await back.end();
  } finally {
    await running.stop();
  }
};
