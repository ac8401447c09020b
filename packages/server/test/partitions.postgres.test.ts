import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectRecords, type RecordDb } from '../src/db/connect.ts';
import { migrateOne } from '../src/db/migrate.ts';
import { firstSequenceIdAt, timeOfId } from '../src/platform/ids.ts';
import { createPartitions, DAY_MS, readPartitions, widthFor } from '../src/records/partitions.ts';
import { createRetention } from '../src/records/retention.ts';
import { openRecordStore } from '../src/records/store.ts';
import { createUsedBytes } from '../src/records/used-bytes.ts';
import { connectRow, logRow, messageRow } from './device-records.ts';
import { describeOnPostgres } from './engine.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { temporaryFolder } from './temporary-folder.ts';

describeOnPostgres(() => {
  const REAL = fileURLToPath(new URL('../src/db/record-migrations/', import.meta.url));
  const GROWN = ['connect_record', 'device_log', 'message_record', 'property_sample'] as const;
  const whose = { tenancyId: 't', productId: 'p', deviceId: 'd' };
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const noonIn = (days: number): number => today + days * DAY_MS + DAY_MS / 2;

  const earlier = temporaryFolder('record-migrations-');
  for (const file of readdirSync(REAL).filter((name) => name < '0003')) cpSync(join(REAL, file), join(earlier, file));

  let environment: Environment;
  let records: RecordDb;
  beforeEach(async () => {
    environment = await createEnvironment();
    records = connectRecords(settings());
  });
  afterEach(async () => {
    await records.destroy();
    await environment.dispose();
  });

  const settings = () => ({
    DATABASE_URL: environment.env.DATABASE_URL,
    DATA_DIR: environment.env.DATA_DIR ?? '',
    RETENTION_DAYS: 30,
  });

  const sampleRow = (time: number) => ({
    device_id: 'd',
    sign_code: 'level',
    sample_time: time,
    record_id: firstSequenceIdAt(time),
    value: '1',
  });

  /** A row of each table, of that time. */
  const sendSystemService = async (time: number): Promise<void> => {
    const at = { record_id: firstSequenceIdAt(time) };
    const rows = {
      message_record: messageRow(whose, { ...at, message_time: time }),
      connect_record: connectRow(whose, 3, { ...at, connect_time: time }),
      device_log: logRow(whose, 'line', { ...at, log_time: time }),
      property_sample: sampleRow(time),
    };
    for (const table of GROWN) await records.insertInto(table).values(rows[table]).execute();
  };

  const allRows = async (): Promise<unknown[]> => {
    const lists = GROWN.map((table) => records.selectFrom(table).selectAll().orderBy('record_id').execute());
    return Promise.all(lists);
  };

  /** A generated id of that time. */
  const idOf = (time: number): string => {
    const signs = '0123456789abcdefghjkmnpqrstvwxyz';
    const digits = Array.from(
      { length: 9 },
      (_, environment) => signs[Math.floor(time / 32 ** (8 - environment)) % 32],
    );
    expect(timeOfId(`${digits.join('')}0000000`)).toBe(time);
    return `${digits.join('')}0000000`;
  };

  /** The number of rows of each table and day partition, by `tableoid`. */
  const rowStorage = async (table: string): Promise<Record<string, number>> => {
    const { rows } = await sql<{ name: string; n: number }>`
    select tableoid::regclass::text as name, count(*) as n from ${sql.table(table)} group by 1`.execute(records);
    return Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]));
  };

  const named = (table: string, days: number): string =>
    `${table}_${new Date(today + days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;

  const retentionOf = (days: number, bytes: number) => {
    const log = pino({ level: 'silent' });
    const [usedBytes, tenancyIds] = [createUsedBytes(records, true), async () => []];
    const [devicesOf, storedBytesLimits] = [async () => [], async () => new Map()];
    const partitions = createPartitions({ records, days });
    return createRetention({
      records,
      days,
      bytes,
      usedBytes,
      partitions,
      tenancyIds,
      devicesOf,
      storedBytesLimits,
      log,
    });
  };

  describe('the partition migration', () => {
    it('keeps every row, and the indexes on each partition', async () => {
      await migrateOne(settings(), 'records', earlier);
      for (const days of [-200, -3, -1, 0, 1, 40]) await sendSystemService(noonIn(days));
      const before = await allRows();
      expect(await migrateOne(settings(), 'records')).toContain('0003-partitions');
      expect(await allRows()).toEqual(before);
      for (const table of GROWN) {
        expect(await rowStorage(table)).toEqual({ [`${table}_before`]: 4, [`${table}_default`]: 2 });
      }
      await createPartitions({ records, days: 30 }).createAhead(Date.now());
      const { rows } = await sql<{ table: string; name: string; n: number }>`
      select parent.relname as "table", child.relname as name,
        (select count(*) from pg_index where indrelid = child.oid and indisvalid) as n
      from pg_inherits join pg_class as parent on parent.oid = inhparent join pg_class as child on child.oid = inhrelid
      where parent.relkind = 'p' and child.relnamespace = 'records'::regnamespace`.execute(records);
      const indexes = { message_record: 4, connect_record: 3, device_log: 3, property_sample: 1 };
      expect(rows).toHaveLength(4 * 4);
      for (const { table, n } of rows) expect([table, Number(n)]).toEqual([table, indexes[table as 'device_log']]);
      // The one of tomorrow was in the default partition until its day was created.
      expect(await rowStorage('device_log')).toEqual({
        device_log_before: 4,
        device_log_default: 1,
        [named('device_log', 1)]: 1,
      });
      expect(await allRows()).toEqual(before);
    });
  });

  describe('partitions', () => {
    beforeEach(async () => {
      await migrateOne(settings(), 'records');
    });

    it('are created on write, without gaps when hubs create them concurrently', async () => {
      const store = openRecordStore(settings());
      const makers = Array.from({ length: 4 }, () => createPartitions({ records, days: 30 }));
      const batch = { writerNo: 1, uplinks: [], downlinks: [messageRow(whose)], connects: [] };
      await Promise.all([store.write(batch), ...makers.map(({ createAhead }) => createAhead(noonIn(5)))]);
      await store.close();
      for (const table of GROWN) {
        const own = (await readPartitions(records)).filter((one) => one.table === table && !one.isDefault);
        expect(own[0]?.from).toBe(-Infinity);
        expect(own.at(-1)?.to).toBe(today + 8 * DAY_MS);
        for (const [index, one] of own.entries()) expect(one.from).toBe(own[index - 1]?.to ?? -Infinity);
      }
      expect(await records.selectFrom('message_record').selectAll().execute()).toHaveLength(1);
    });

    it('are not required for storing a row: a future row is found before and after its partition exists', async () => {
      const { createAhead } = createPartitions({ records, days: 30 });
      await sendSystemService(noonIn(9));
      await sendSystemService(noonIn(-900));
      const before = await allRows();
      expect(await rowStorage('message_record')).toEqual({ message_record_default: 1, message_record_before: 1 });
      for (const days of [0, 5, 8, 9]) await createAhead(noonIn(days));
      expect(await rowStorage('message_record')).toEqual({
        [named('message_record', 9)]: 1,
        message_record_before: 1,
      });
      expect(await allRows()).toEqual(before);
    });

    it('hide no older message', async () => {
      const { createAhead } = createPartitions({ records, days: 30 });
      for (const days of [1, 2]) await createAhead(noonIn(days));
      const store = openRecordStore(settings());
      const uplink = (days: number, session_id: string, response: 0 | 1, message_id: number) => {
        const record_id = firstSequenceIdAt(noonIn(days)) + (message_id % 100);
        const at = { record_id, message_time: noonIn(days), device_time: 5 };
        const record = {
          ...messageRow(whose, { ...at, session_id, response, message_id }),
          envelope: '{"payload":"x"}',
        };
        return { record, samples: [], logs: [] };
      };
      const write = (...uplinks: ReturnType<typeof uplink>[]) =>
        store.write({ writerNo: 1, uplinks, downlinks: [], connects: [] });
      const [session, command] = [idOf(noonIn(-40)), firstSequenceIdAt(noonIn(-20))];
      const first = [uplink(-30, session, 0, 7), uplink(-20, session, 1, command), uplink(-1, session, 0, 9)];
      expect(await write(...first)).toEqual(['stored', 'stored', 'stored']);
      const again = [uplink(0, session, 0, 7), uplink(0, session, 1, command), uplink(0, session, 0, 9)];
      expect(await write(...again)).toEqual(['duplicate', 'duplicate', 'duplicate']);
      // A message that was never stored is new below the high-water mark, and so is an answer to a current command.
      expect(await write(uplink(0, session, 0, 8))).toEqual(['stored']);
      expect(await write(uplink(0, session, 1, firstSequenceIdAt(noonIn(0))))).toEqual(['stored']);
      await store.close();
    });

    it('become wider than a day beyond a month, so that their number is limited', () => {
      expect([1, 31, 90, 365, 3_650].map((days) => widthFor(days) / DAY_MS)).toEqual([1, 1, 3, 12, 118]);
    });
  });

  describe('retention', () => {
    const DAYS = [1, 2, 3, 4, 5];
    beforeEach(async () => {
      await migrateOne(settings(), 'records');
      const { createAhead } = createPartitions({ records, days: 30 });
      for (const days of DAYS) {
        await createAhead(noonIn(days));
        await sendSystemService(noonIn(days));
      }
    });

    const namesOf = async (table: string): Promise<string[]> =>
      (await readPartitions(records)).filter((one) => one.table === table).map(({ name }) => name);
    const tablesOf = async (table: string): Promise<string[]> => {
      const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'records'::regnamespace and relkind = 'r'
        and relname like ${`${table}_2%`} order by relname`.execute(records);
      return rows.map(({ name }) => name);
    };

    it('by days drops whole partitions, of several hubs at once, and deletes no single row', async () => {
      const { dropBefore } = createPartitions({ records, days: 30 });
      const dropped = await sql<{ n: number }>`
      select sum(n_tup_del) as n from pg_stat_user_tables where schemaname = 'records'`.execute(records);
      await Promise.all(Array.from({ length: 4 }, () => dropBefore(noonIn(3))));
      for (const table of GROWN) {
        expect(await tablesOf(table)).toEqual([3, 4, 5, 6, 7].map((days) => named(table, days)));
        // The days before are no longer in the catalog, neither attached nor by themselves.
        expect(await namesOf(table)).toEqual([...(await tablesOf(table)), `${table}_default`]);
        expect(await rowStorage(table)).toEqual(Object.fromEntries([3, 4, 5].map((days) => [named(table, days), 1])));
      }
      const after = await sql<{ n: number }>`
      select sum(n_tup_del) as n from pg_stat_user_tables where schemaname = 'records'`.execute(records);
      expect(Number(after.rows[0]?.n)).toBe(Number(dropped.rows[0]?.n));
    });

    it('by bytes drops the oldest days, exactly as many as necessary, also by several hubs at once', async () => {
      const { dropWhile } = createPartitions({ records, days: 30 });
      const left = async (): Promise<number> => (await tablesOf('message_record')).length;
      // Two days too many: a hub that measures after their deletion deletes no more.
      await Promise.all(Array.from({ length: 4 }, () => dropWhile(async () => (await left()) > 5, noonIn(6))));
      for (const table of GROWN)
        expect(await tablesOf(table)).toEqual([3, 4, 5, 6, 7].map((days) => named(table, days)));
      // However much there is, today stays.
      await dropWhile(async () => true, noonIn(6));
      for (const table of GROWN) expect(await tablesOf(table)).toEqual([6, 7].map((days) => named(table, days)));
    });

    it('deletes old rows of the first partition, and late rows, in small batches', async () => {
      // A sample is found by the property of its latest value.
      await records
        .insertInto('latest_value')
        .values(sampleRow(noonIn(0)))
        .execute();
      await sendSystemService(noonIn(-100));
      await sendSystemService(noonIn(-5));
      await retentionOf(30, 1e12).run();
      expect(await rowStorage('message_record')).toMatchObject({ message_record_before: 1 });
      expect(await records.selectFrom('property_sample').selectAll().execute()).toHaveLength(DAYS.length + 1);
      await createPartitions({ records, days: 30 }).dropBefore(noonIn(2));
      await sendSystemService(noonIn(-200));
      expect(await rowStorage('device_log')).toMatchObject({ device_log_default: 1 });
      await retentionOf(30, 1e12).run();
      for (const table of GROWN)
        expect(await rowStorage(table)).toEqual(
          Object.fromEntries([2, 3, 4, 5].map((days) => [named(table, days), 1])),
        );
    });
  });
});
