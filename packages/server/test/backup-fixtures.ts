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
import { linksOf, makeLink, makeVersion, someBytes } from './firmware-fixtures.ts';
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

/** Without what a hub makes from the others when it starts. */
const TABLES = {
  sqlite: `select name from sqlite_master where type = 'table' and name not like 'sqlite%'
    and name not like 'device_search%' and name not in ('device_total', 'migration') order by name`,
  postgres: `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
    and relnamespace = current_schema()::regnamespace and relname not in ('device_total', 'migration') order by name`,
};

/**
 * Whose hub no longer runs holds no lease in another place; and whoever plays the leader of a scene's upgrade goes on
 * to renew his claim while the rows are read.
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

/** Without the product's connections, each of which starts threads. */
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

/** Every row of every table of a place, whichever engine it is on, in an order of their own. */
export const allRows = async (env: Env): Promise<Map<string, string[]>> =>
  new Map((await readRows(env)).map(([name, rows]) => [name, rows.map(textOf).sort()]));

/** A table at a time, so that what differs can be read. */
export const expectSameRows = (found: Map<string, string[]>, wanted: Map<string, string[]>): void => {
  expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [name, rows] of wanted) expect([name, found.get(name)]).toEqual([name, rows]);
};

/** A hub that has something of every kind: an account, a picture, firmware, a device with its own secret and history. */
export type Scene = {
  user: TestUser;
  place: ProductFixture;
  device: RawDevice;
  version: Awaited<ReturnType<typeof makeVersion>>;
  /** Its upgrade to that version, which is under way. */
  recordNo: number;
};

export const setScene = async (hub: Hub): Promise<Scene> => {
  const tenancyId = await hub.create.tenancy();
  const user = await hub.create.user({ tenancyId, menus: [501, 502] });
  const place = await createProductFixture(hub, { icon: await uploadedIcon(hub.admin) }, tenancyId);
  const version = await makeVersion(hub, place, '1.2.3', someBytes(300_007));
  const device = await connectNewDevice(hub, place);
  await device.send({ type: 2, payload: { properties: { brightness: 7 } } });
  await device.send({ type: 3, payload: { event: 'lampFault', output: { reason: 'heat' } } });
  const line = '一行日志 \u2028 with "quotes", \\ and \t more';
  await device.send({ type: 6, payload: { logs: [{ level: 5, time: Date.now(), log: line }] } });
  const { firmwareUri } = version.file;
  const { recordNo } = await makeLink(hub, { ...version, ...place, deviceId: device.deviceId, firmwareUri });
  return { user, place, device, version, recordNo };
};

/** Starts a hub there and finds all of it: the account, the device by its old secret, its history, the file. */
export const expectAllThere = async (env: Env, { user, device, version, recordNo }: Scene): Promise<void> => {
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
    const place = { env: { ...env, DATA_DIR: env.DATA_DIR ?? '' }, url: running.url };
    const link = linksOf(place).linkFor({
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
