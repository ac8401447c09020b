import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountCalls } from '@device-center/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../src/db/connect.ts';
import { migrate, migrateOne } from '../src/db/migrate.ts';
import { libraryIn } from '../src/library/seed.ts';
import { createClient } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { describeOnEachEngine, postgresServer } from './engine.ts';
import { createEnvironment, type Environment, prepareEnvironment } from './environment.ts';
import { launch } from './hub-process.ts';
import { runCli } from './run-cli.ts';

const REAL = fileURLToPath(new URL('../src/db/migrations/', import.meta.url));
const ALL = [
  '0001-identity',
  '0002-models',
  '0003-devices',
  '0004-mock-and-home',
  '0005-ota',
  '0006-zones',
  '0007-hubs',
  '0008-sync',
  '0009-hub-places',
  '0010-registrations',
  '0011-product-secrets',
  '0012-login-networks',
  '0013-reveals-and-key-makers',
  '0016-names-and-menu-order',
  '0017-tenant-quotas',
  '0018-sync-peers',
  '0019-sync-scope',
  '0020-zone-checks',
  '0021-event-parameters',
  '0023-device-order',
  '0024-first-notified',
];
const RECORDS = ['0001-records', '0002-counter-totals', '0003-partitions', '0004-tenant-bytes', '0005-lost-messages'];
const onPostgres = (): boolean => postgresServer() !== undefined;

let environment: Environment;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  cpSync(REAL, folder, { recursive: true });
});
afterEach(async () => {
  await environment.dispose();
  rmSync(folder, { recursive: true });
});

const settings = () => ({ DATABASE_URL: environment.env.DATABASE_URL, DATA_DIR: environment.env.DATA_DIR ?? '' });

const query = async <Row>(text: string): Promise<Row[]> => {
  const db = connect(settings());
  try {
    return (await sql.raw<Row>(text).execute(db)).rows;
  } finally {
    await db.destroy();
  }
};

const tables = async (): Promise<string[]> => {
  const text = onPostgres()
    ? "select table_name as name from information_schema.tables where table_schema = 'hub'"
    : "select name from sqlite_master where type = 'table'";
  return (await query<{ name: string }>(text)).map((row) => row.name).sort();
};

const applied = async (): Promise<string[]> =>
  (await query<{ name: string }>('select name from migration order by name')).map((row) => row.name);

const failedStart = async (): Promise<string> => {
  const { code, out, err } = await runCli('main.ts', { ...environment.env, PORT: '0', MQTT_PORT: '0' });
  expect([code, out]).toEqual([1, '']);
  return err;
};

const BROKEN = `create table half (half_id @key primary key, amount @int not null) @table;
insert into half (half_id, amount) values ('one', 1);
update menu set name_en = 'half';
insert into no_such_table (a) values (1);`;

describeOnEachEngine(() => {
  describe('migrating', () => {
    it('is done once by hubs that start together, and one of them prints the password', async () => {
      environment = await createEnvironment();
      const env = { ...environment.env, LOG_LEVEL: 'info' };
      const hubs = Array.from({ length: LONG ? 3 : 2 }, () => launch(env));
      const ready = await Promise.all(hubs.map((hub) => hub.ready));
      const printed = hubs.flatMap((hub) => [...hub.output().matchAll(/^ {2}password {2}(\S+)/gm)]);
      expect(printed).toHaveLength(1);
      // The two databases may be migrated by different hubs, but each migration by one of them.
      const migrated = hubs.flatMap((hub) => [...hub.errors().matchAll(/"migrations":(\[[^\]]*\])/g)]);
      expect(migrated.flatMap(([, names]) => JSON.parse(names ?? '') as string[]).sort()).toEqual(
        [...ALL, ...RECORDS].sort(),
      );
      expect(await applied()).toEqual(ALL);
      for (const [url] of ready) {
        const sent = { username: 'admin', password: printed[0]?.[1] ?? '' };
        expect((await createClient(url).ok(accountCalls.login, sent)).userId).toBe('1');
        // On SQLite the last hub to start expires the others, and their device processes restart.
        await expect.poll(async () => (await fetch(`${url}/health/ready`)).status, { timeout: 20_000 }).toBe(200);
      }
      expect(await Promise.all(hubs.map((hub) => hub.stop()))).toEqual(hubs.map(() => 0));
    });

    it('changes nothing the second time', async () => {
      environment = await createEnvironment();
      expect(await migrate(settings())).toEqual([...ALL, ...RECORDS]);
      expect(await migrate(settings())).toEqual([]);
      writeFileSync(join(folder, '0999-more.sql'), 'create table more (more_id @key primary key) @table;');
      expect(await migrateOne(settings(), 'hub', folder)).toEqual(['0999-more']);
      expect(await applied()).toEqual([...ALL, '0999-more']);
      expect(await tables()).toContain('more');
    });

    it('trims existing names, except when two would become equal', async () => {
      environment = await createEnvironment();
      for (const name of readdirSync(folder)) if (name >= '0016') rmSync(join(folder, name));
      await migrateOne(settings(), 'hub', folder);
      const names = ['Solo ', 'Twin', 'Twin ', ' 中 '];
      for (const [id, name] of names.entries())
        await query(`insert into tenancy (tenancy_id, tenancy_name, tenancy_name_key, company_name, company_name_key,
            contact_name, phone, email, company_address, enabled, builtin, created_at, updated_at)
          values ('t${id}', '${name}', '${name.toLowerCase()}', ' Co ', ' co ', '', '', '', '', 1, 0, 0, 0)`);
      await query("update zone set zone_name = ' Plant ', zone_name_key = ' plant ' where zone_id = 2");
      cpSync(REAL, folder, { recursive: true });
      await migrateOne(settings(), 'hub', folder);
      const keys = await query<Record<string, string>>('select * from tenancy order by tenancy_id');
      expect(keys.map((row) => row.tenancy_name)).toEqual(['Solo', 'Twin', 'Twin ', '中']);
      expect(keys.map((row) => row.tenancy_name_key)).toEqual(['solo', 'twin', 'twin ', '中']);
      expect(keys.map((row) => row.company_name_key)).toEqual(names.map(() => 'co'));
      const zones = await query('select zone_name, zone_name_key from zone order by zone_id');
      expect(zones[1]).toEqual({ zone_name: 'Plant', zone_name_key: 'plant' });
    });

    it('keeps the sync zones unchanged: all tenants', async () => {
      environment = await createEnvironment();
      for (const name of readdirSync(folder)) if (name >= '0019') rmSync(join(folder, name));
      await migrateOne(settings(), 'hub', folder);
      await query(`insert into zone_node (node_id, zone_id, node_index, host_name, port, server_type, username,
          password_sealed, tls, bucket_url, bucket_zone_id, api_key_sealed, certificate_sealed, certificate_facts,
          created_at, updated_at)
        values ('n', 2, 0, 'broker.invalid', 1883, 1, '', '', 0, '', 0, '', '', '', 0, 0)`);
      cpSync(REAL, folder, { recursive: true });
      await migrateOne(settings(), 'hub', folder);
      const zones = await query<{ sync_all: number | string }>('select sync_all from zone order by zone_id');
      expect(zones.map((row) => Number(row.sync_all))).toEqual([0, 1]);
    });

    it('leaves an empty database empty when it fails', async () => {
      environment = await createEnvironment();
      writeFileSync(join(folder, '0999-broken.sql'), BROKEN);
      await expect(migrateOne(settings(), 'hub', folder)).rejects.toThrow(
        /^migration 0999-broken failed and was rolled back: .*no_such_table/,
      );
      expect(await tables()).toEqual([]);
    });

    it('changes nothing when it fails later, and the previous version still works', async () => {
      environment = await prepareEnvironment();
      const before = [await tables(), await query('select * from menu order by menu_key')];
      writeFileSync(join(folder, '0998-good.sql'), 'create table good (good_id @key primary key) @table;');
      writeFileSync(join(folder, '0999-broken.sql'), BROKEN);
      await expect(migrateOne(settings(), 'hub', folder)).rejects.toThrow(/^migration 0999-broken failed/);
      expect([await tables(), await query('select * from menu order by menu_key')]).toEqual(before);
      expect(await applied()).toEqual(ALL);
      expect(await migrate(settings())).toEqual([]);
    });

    type OldColumn = { name: string; type: string };
    const oldColumns: Record<string, OldColumn[]> = {};

    /** A row of the former schema: fields that are not given are 0 or ''. */
    const insertOld = async (table: string, row: Record<string, string | number>): Promise<void> => {
      oldColumns[table] ??= await query<OldColumn>(
        onPostgres()
          ? `select column_name as name, data_type as type from information_schema.columns
             where table_schema = 'hub' and table_name = '${table}' and is_nullable = 'NO'`
          : `select name, type from pragma_table_info('${table}') where "notnull" = 1 or pk > 0`,
      );
      const blank = (type: string): string | number => (/int/i.test(type) ? 0 : '');
      const values = { ...Object.fromEntries(oldColumns[table].map(({ name, type }) => [name, blank(type)])), ...row };
      const texts = Object.values(values).map((value) => (typeof value === 'number' ? value : `'${value}'`));
      await query(`insert into ${table} (${Object.keys(values).join(', ')}) values (${texts.join(', ')})`);
    };

    it('binds upgrades to the devices of their creation, and keeps secrets', async () => {
      environment = await createEnvironment();
      for (const name of ['0010-registrations', '0011-product-secrets']) rmSync(join(folder, `${name}.sql`));
      await migrateOne(settings(), 'hub', folder);
      for (const tenancy_id of ['a', 'b']) {
        const own = { tenancy_id, created_at: 1, updated_at: 1 };
        await insertOld('tenancy', { ...own, tenancy_name: tenancy_id, tenancy_name_key: tenancy_id });
        await insertOld('category', { ...own, category_id: `c${tenancy_id}`, category_name_key: tenancy_id });
        await insertOld('application', {
          ...own,
          application_id: `app-${tenancy_id}`,
          application_name_key: tenancy_id,
        });
        const product = { product_id: `p${tenancy_id}`, category_id: `c${tenancy_id}`, product_name_key: tenancy_id };
        await insertOld('product', { ...own, ...product, node_type: 2 });
      }
      const device = (device_id: string, tenancy_id: string, more: Record<string, string | number> = {}) =>
        insertOld('device', {
          device_id,
          tenancy_id,
          product_id: `p${tenancy_id}`,
          application_id: `app-${tenancy_id}`,
          online: 2,
          ...more,
        });
      await device('mine', 'a', { secret_sealed: 's' });
      await device('taken', 'b', { secret_sealed: 's', sign_method: 'md5', first_connect_at: 5 });
      await device('fresh', 'b', { secret_sealed: 's', sign_method: 'md5' });
      await device('child', 'b', { origin_id: 'elsewhere', parent_id: 'mine' });
      await device('behind', 'b', { origin_id: 'elsewhere', parent_id: 'taken' });
      await insertOld('ota_task', { task_id: 't', tenancy_id: 'a', product_id: 'pa', status: 2, complete: 1 });
      for (const [environment, device_id] of ['mine', 'taken', 'gone'].entries()) {
        await insertOld('ota_device', {
          record_no: environment,
          task_id: 't',
          tenancy_id: 'a',
          device_id,
          created_at: 7,
        });
        await insertOld('ota_hold', { device_id, task_rank: 1, task_id: 't' });
      }
      expect(await migrateOne(settings(), 'hub')).toEqual(['0010-registrations', '0011-product-secrets']);
      const upgrades = 'select device_id, registration_no as no, status from ota_device order by record_no';
      expect((await query<Record<string, unknown>>(upgrades)).map((row) => Object.values(row).map(String))).toEqual([
        ['mine', '0', '0'],
        ['taken', '-1', '7'],
        ['gone', '-1', '7'],
      ]);
      expect(await query('select device_id from ota_hold')).toEqual([{ device_id: 'mine' }]);
      const devices = 'select device_id, parent_id, secret_by_console, secret_proven from device order by device_id';
      expect((await query<Record<string, unknown>>(devices)).map((row) => Object.values(row).map(String))).toEqual([
        ['behind', 'taken', '0', '0'],
        ['child', '', '0', '0'],
        ['fresh', '', '0', '0'],
        ['mine', '', '1', '0'],
        ['taken', '', '0', '1'],
      ]);
    });

    it('adds a parameter to events of unchanged standard categories', async () => {
      environment = await createEnvironment();
      rmSync(join(folder, '0021-event-parameters.sql'));
      await migrateOne(settings(), 'hub', folder);
      await insertOld('tenancy', { tenancy_id: '1', tenancy_name: 'a', tenancy_name_key: 'a' });
      const ids = { 'std-door-lock': 'tampered', 'std-camera': 'storageFull', own: 'empty' };
      const none = '{"eventType":"alarm","output":[]}';
      const changed = '{"eventType":"alarm","output":[{"identifier":"mine"}]}';
      for (const [category_id, sign_code] of Object.entries(ids)) {
        await insertOld('category', { category_id, tenancy_id: '1', category_name_key: category_id });
        await insertOld('open_function', {
          function_id: `${category_id}-${sign_code}`,
          category_id,
          sign_code,
          function_type: 22,
          definition: category_id === 'std-camera' ? changed : none,
          english: `{"functionName":"x","functionDefinition":${none}}`,
        });
      }
      expect(await migrateOne(settings(), 'hub')).toEqual(['0021-event-parameters']);
      const rows = await query<{ definition: string; english: string }>(
        'select definition, english from open_function order by category_id',
      );
      const [own, camera, lock] = rows.map(({ definition, english }) => [definition, english].join(' '));
      expect(own).not.toContain('identifier');
      expect(camera).toBe(`${changed} {"functionName":"x","functionDefinition":${none}}`);
      const at = libraryIn('en_US')
        .find(({ categoryId }) => categoryId === 'std-door-lock')
        ?.functions.find(({ signCode }) => signCode === 'tampered');
      expect(JSON.parse(rows[2]?.english ?? '').functionDefinition).toEqual(at?.functionDefinition);
      expect(lock).toContain('发生时间');
    });
  });
});

describe('migrating', () => {
  it('ends the start with the reason when it fails', async () => {
    environment = await createEnvironment();
    if (onPostgres()) await query('create schema hub');
    await query('create table outbox (in_the_way integer)');
    const message = await failedStart();
    expect(message).toMatch(/^cannot start: migration 0001-identity failed and was rolled back: .*outbox.*\n$/);
    expect(await tables()).toEqual(['outbox']);
  });

  it('rejects a migration that was changed after it ran', async () => {
    environment = await prepareEnvironment();
    const file = join(folder, '0001-identity.sql');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n-- touched\n`);
    const message =
      'migration 0001-identity was changed after it was applied; restore the file and add a new migration';
    await expect(migrateOne(settings(), 'hub', folder)).rejects.toThrow(message);
    await query("update migration set checksum = 'another'");
    await expect(migrate(settings())).rejects.toThrow(message);
  });

  it('rejects a database of a newer version', async () => {
    environment = await prepareEnvironment();
    await query("insert into migration (name, checksum) values ('9999-future', 'x')");
    await expect(migrate(settings())).rejects.toThrow(
      'the database was created by a newer version (migration 9999-future); start that version',
    );
    expect(await applied()).toEqual([...ALL, '9999-future']);
  });
});
