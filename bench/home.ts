/**
 * The home page's numbers over HTTP, with few counters and with five years of counters of twenty tenants plus millions of
 * messages. Reference: the same sums in hand-written SQL.
 */
import { homeCalls } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db, RecordDb } from '../packages/server/src/db/connect.ts';
import { ALL_TENANCIES } from '../packages/server/src/records/roll-up-counters.ts';
import { spawnHub } from '../packages/server/test/hub.ts';
import { median } from './median.ts';
import { report } from './report.ts';
import { timed } from './timed.ts';

const ROUNDS = 15;
const TENANTS = 20;
const QUARTER_MS = 900_000;
/** Five years of 15-minute intervals. */
const QUARTERS = 175_000;
/** Longer than the hub caches counts that several clients watch. */
const FORGOTTEN_MS = 1_000;
const MESSAGES_WITHIN_MS = Number(process.env.BENCH_SECONDS ?? 60) * 1_000;
const MESSAGES_MAX = 2_000_000;
const AT_ONCE = 500;
const QUARTERS_AT_ONCE = 5_000;
const FOLDED = 0;

const now = Date.now();
const thisQuarter = Math.floor(now / QUARTER_MS);
/** The hub rolls up counters older than two days. */
const foldedUntil = thisQuarter - 2 * 96;
/** Days and months in UTC, the hub's default. */
const dayStart = Math.floor(now / 86_400_000) * 86_400_000;
const quarterHourOf = (time: number): number => Math.floor(time / QUARTER_MS);

const tenants = Array.from({ length: TENANTS }, (_, index) => `T${index}`);

type Stretch = { from: number; to: number; whose: readonly string[]; hubNo: number };

/** One row per 15 minutes for each of these. */
const insertQuarters = async (records: RecordDb, { from, to, whose, hubNo }: Stretch): Promise<void> => {
  const names = sql.join(whose.map((name) => sql`(${name})`));
  for (let first = from; first < to; first += QUARTERS_AT_ONCE) {
    const last = Math.min(first + QUARTERS_AT_ONCE, to) - 1;
    await sql`
      insert into quarter_counter (quarter, tenancy_id, hub_no, messages, accesses)
      with recursive step (quarter) as (
        select cast(${first} as bigint) union all select quarter + 1 from step where quarter < ${last}
      ), named as (select column1 as tenancy_id from (values ${names}) as given)
      select step.quarter, named.tenancy_id, cast(${hubNo} as integer), 100, 1 from step, named`.execute(records);
  }
};

/** Counters as the hub stores them: those older than two days rolled up, one row per tenant and one for all, plus totals. */
const insertCounters = async (records: RecordDb): Promise<void> => {
  const all = [...tenants, ALL_TENANCIES];
  await insertQuarters(records, { from: thisQuarter - QUARTERS, to: foldedUntil, whose: all, hubNo: FOLDED });
  await insertQuarters(records, { from: foldedUntil, to: thisQuarter, whose: tenants, hubNo: 1 });
  await sql`
    insert into counter_total (tenancy_id, messages, accesses)
    select tenancy_id, sum(messages), sum(accesses) from quarter_counter where hub_no = 0 group by tenancy_id
    on conflict (tenancy_id) do update set messages = excluded.messages, accesses = excluded.accesses`.execute(records);
};

/** Enough messages that a scan of the table would be noticeable. */
const insertMessages = async (records: RecordDb): Promise<number> => {
  const until = Date.now() + MESSAGES_WITHIN_MS;
  let inserted = 0;
  while (Date.now() < until && inserted < MESSAGES_MAX)
    await records.transaction().execute(async (records) => {
      for (let batch = 0; batch < 20; batch++) {
        const rows = Array.from({ length: AT_ONCE }, () => {
          inserted += 1;
          return {
            record_id: inserted,
            tenancy_id: tenants[inserted % TENANTS] ?? '',
            device_id: `device${inserted % 5_000}`,
            message_time: now - inserted,
            data_flow: 1 as const,
            response: 0 as const,
            message_type: 2,
            function_type: 1,
            function_id: 'power',
            code: 200,
            message_id: inserted,
            session_id: 's',
            device_time: now,
            value: '{"power":true}',
            envelope: '{"payload":"{\\"properties\\":{\\"power\\":true}}"}',
          };
        });
        await records.insertInto('message_record').values(rows).execute();
      }
    });
  return inserted;
};

type Bench = { db: Db; records: RecordDb };

const hand = (records: RecordDb, text: string) => sql.raw(text).execute(records);
const sums = 'sum(messages) as messages, sum(accesses) as accesses';
/** Hand-written SQL that uses the storage layout: rolled-up counters, plus the hubs' own counters of two days. */
const spanByHand = async (records: RecordDb, from: number, to: number, tenancyId = ALL_TENANCIES): Promise<void> => {
  const within = (start: number) => `quarter >= ${start} and quarter < ${to}`;
  const whose = `tenancy_id = '${tenancyId}'`;
  await hand(records, `select ${sums} from quarter_counter where ${whose} and ${within(from)} and hub_no = 0`);
  if (to <= foldedUntil) return;
  const hubs = tenancyId === ALL_TENANCIES ? 'hub_no > 0' : `hub_no > 0 and ${whose}`;
  await hand(records, `select ${sums} from quarter_counter where ${hubs} and ${within(Math.max(from, foldedUntil))}`);
};

const daysByHand = async ({ records }: Bench, days: number): Promise<void> => {
  for (let day = days - 1; day >= 0; day--) {
    const start = dayStart - day * 86_400_000;
    await spanByHand(records, quarterHourOf(start), quarterHourOf(start + 86_400_000));
  }
};
const monthsByHand = async ({ records }: Bench, tenancyId?: string): Promise<void> => {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  for (let back = 11; back >= 0; back--)
    await spanByHand(
      records,
      quarterHourOf(Date.UTC(year, month - back, 1)),
      quarterHourOf(Date.UTC(year, month - back + 1, 1)),
      tenancyId,
    );
};
const countsByHand = async ({ db, records }: Bench): Promise<void> => {
  await hand(records, `select messages from counter_total where tenancy_id = ''`);
  await hand(records, `select ${sums} from quarter_counter where hub_no > 0`);
  await spanByHand(records, quarterHourOf(dayStart), thisQuarter + 96);
  await sql
    .raw(
      'select count(*), sum(case when online = 1 then 1 else 0 end), sum(case when first_connect_at > 0 then 1 else 0 end) from device',
    )
    .execute(db);
};

const hub = await spawnHub({ RATE_LIMIT: '1000000' });
const bench: Bench = hub;

const cases: { name: string; ask: () => Promise<unknown>; byHand: () => Promise<unknown>; pause?: number }[] = [
  {
    name: 'current counts',
    ask: () => hub.admin.ok(homeCalls.getSystemDeviceCurrentCount, {}),
    byHand: () => countsByHand(bench),
    pause: FORGOTTEN_MS,
  },
  {
    name: 'messages, 7 days',
    ask: () => hub.admin.ok(homeCalls.getDayDeviceMessageCount, { scopeSign: 7 }),
    byHand: () => daysByHand(bench, 7),
  },
  {
    name: 'messages, 30 days',
    ask: () => hub.admin.ok(homeCalls.getDayDeviceMessageCount, { scopeSign: 30 }),
    byHand: () => daysByHand(bench, 30),
  },
  {
    name: 'connections, 30 days',
    ask: () => hub.admin.ok(homeCalls.getDayDeviceAccessCount, { scopeSign: 30 }),
    byHand: () => daysByHand(bench, 30),
  },
  {
    name: 'messages, 12 months',
    ask: () => hub.admin.ok(homeCalls.getMonthDeviceMessageCount, {}),
    byHand: () => monthsByHand(bench),
  },
  {
    name: 'messages, 12 months, one tenant',
    ask: () => hub.admin.ok(homeCalls.getMonthDeviceMessageCount, { tenancyId: 'T7' }),
    byHand: () => monthsByHand(bench, 'T7'),
  },
];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const measure = async (title: string, size: string): Promise<void> => {
  console.log(`${title}; milliseconds, median of ${ROUNDS}`);
  for (const { name, ask, byHand, pause = 0 } of cases) {
    const [http, sql]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      await wait(pause);
      http.push(await timed(ask));
      sql.push(await timed(byHand));
    }
    const reference = { name: 'SQL by hand', value: median(sql) };
    report({ what: `home, ${size}: ${name}`, value: median(http), unit: 'ms', worst: Math.max(...http), reference });
  }
  const nothing: number[] = [];
  for (let round = 0; round < ROUNDS; round++) nothing.push(await timed(() => fetch(`${hub.url}/health/live`)));
  report({ what: `home, ${size}: a request that asks for nothing`, value: median(nothing), unit: 'ms' });
};

try {
  await measure('a new hub', 'empty');
  await insertCounters(hub.records);
  const messages = await insertMessages(hub.records);
  await measure(
    `five years of ${TENANTS} tenants (${(QUARTERS * (TENANTS + 1)).toLocaleString('en')} counters), ${messages.toLocaleString('en')} messages`,
    'five years',
  );
} finally {
  await hub.close();
}
