import {
  type Attention,
  ConnectStatus,
  type FleetCounts,
  type FleetDistribution,
  type homeCalls,
  type Input,
  MONTHS_SHOWN,
  type Output,
} from '@device-center/contract';
import { sql } from 'kysely';
import type { Db, RecordDb } from '../../db/connect.ts';
import { listScope, type Scope } from '../../db/scope.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { firstSequenceIdAt } from '../../platform/ids.ts';
import { memoizeWithTtl } from '../../platform/memoize-with-ttl.ts';
import { iso } from '../../platform/time.ts';
import { lastDays, lastMonths, type Span, startOfDay } from '../../platform/time-zone.ts';
import { lostMessages } from '../../records/lost-messages.ts';
import { countedEver, countedIn } from './home.counters.ts';
import { readDistribution } from './home.distribution.ts';
import { fleetAt, fleetNow } from './home.snapshot.ts';

type Calls = typeof homeCalls;
type Deps = { db: Db; records: RecordDb };
type FigureInput = { timezone?: string | undefined; tenancyId?: string | undefined };

/** Figures are cached this long, because many users may watch them at once. */
const COUNTS_CACHE_MS = 900;
const DISTRIBUTION_CACHE_MS = 5_000;
const UTC = 'UTC';

/** The figures of the home page. Messages and connections are read from counters, whatever their number. */
export const createHomeService = ({ db, records }: Deps) => {
  const cachedCounts = memoizeWithTtl<FleetCounts>(COUNTS_CACHE_MS);
  const cachedDistribution = memoizeWithTtl<FleetDistribution>(DISTRIBUTION_CACHE_MS);

  const isDemonstration = async ({ tenancyId }: Scope): Promise<0 | 1> => {
    let rows = db.selectFrom('tenancy').select('tenancy_id').where('demo', '=', 1);
    if (tenancyId !== null) rows = rows.where('tenancy_id', '=', tenancyId);
    return (await rows.limit(1).executeTakeFirst()) ? 1 : 0;
  };

  const readCounts = async (scope: Scope, timezone: string): Promise<FleetCounts> => {
    const now = Date.now();
    const dayStart = startOfDay(timezone, now);
    const day: Span = { name: '', from: dayStart, to: now + 86_400_000 };
    const [fleet, atDayStart, ever, [today], demonstration] = await Promise.all([
      fleetNow(db, scope),
      fleetAt(db, scope, dayStart),
      countedEver(records, scope),
      countedIn(records, scope, [day]),
      isDemonstration(scope),
    ]);
    return {
      deviceCount: fleet.devices,
      messageCount: ever.messages,
      connectedCount: fleet.connected,
      onlineCount: fleet.online,
      today: {
        deviceCount: fleet.devices - atDayStart.devices,
        messageCount: today?.messages ?? 0,
        connectedCount: fleet.connected - atDayStart.connected,
        onlineCount: fleet.online - atDayStart.online,
        accessCount: today?.accesses ?? 0,
      },
      demonstration,
    };
  };

  const counts = (actor: Actor, input: FigureInput): Promise<FleetCounts> => {
    const scope = listScope(actor, input.tenancyId);
    const { timezone = UTC } = input;
    return cachedCounts(`${scope.tenancyId ?? ''}\n${timezone}`, () => readCounts(scope, timezone));
  };

  const chart = async (
    actor: Actor,
    input: FigureInput,
    metric: 'messages' | 'accesses',
    spans: Span[],
  ): Promise<{ name: string; count: number }[]> => {
    const sums = await countedIn(records, listScope(actor, input.tenancyId), spans);
    return spans.map(({ name }, index) => ({ name, count: sums[index]?.[metric] ?? 0 }));
  };

  const days =
    (metric: 'messages' | 'accesses') =>
    async ({ actor }: Context, input: Input<Calls['getDayDeviceMessageCount']>) => {
      const spans = lastDays(input.timezone ?? UTC, input.scopeSign, Date.now());
      return (await chart(actor, input, metric, spans)).map(({ name, count }) => ({ date: name, count }));
    };
  const months =
    (metric: 'messages' | 'accesses') =>
    async ({ actor }: Context, input: Input<Calls['getMonthDeviceMessageCount']>) => {
      const spans = lastMonths(input.timezone ?? UTC, MONTHS_SHOWN, Date.now());
      return (await chart(actor, input, metric, spans)).map(({ name, count }) => ({ month: name, count }));
    };

  const offlineToday = async ({ tenancyId }: Scope, since: number) => {
    let rows = db
      .selectFrom('device')
      .select((row) => [row.fn.countAll<number>().as('n'), row.fn.max('presence_at').as('latest')])
      .where('online', '=', 2)
      .where('presence_at', '>=', since);
    if (tenancyId !== null) rows = rows.where('tenancy_id', '=', tenancyId);
    return rows.executeTakeFirstOrThrow();
  };

  /** At most 1,000 rejected connections per tenant are stored, so counting them is fast. */
  const rejectedToday = async ({ tenancyId }: Scope, since: number) => {
    const ofTenant = tenancyId === null ? sql<boolean>`true` : sql<boolean>`tenancy_id = ${tenancyId}`;
    return records
      .selectFrom('connect_record')
      .select((row) => [row.fn.countAll<number>().as('n'), row.fn.max('connect_time').as('latest')])
      .where(ofTenant)
      .where('status', '=', ConnectStatus.refused)
      .where('record_id', '>=', firstSequenceIdAt(since))
      .executeTakeFirstOrThrow();
  };

  /** Without rehearsals, which fail on purpose. */
  const failedUpgrades = async ({ tenancyId }: Scope, since: number) => {
    let rows = db
      .selectFrom('ota_device')
      .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
      .select((row) => [row.fn.countAll<number>().as('n'), row.fn.max('ota_device.ended_at').as('latest')])
      .where('ota_device.status', '=', 6)
      .where('ota_device.ended_at', '>=', since)
      .where('rehearsal', '=', 0);
    if (tenancyId !== null) rows = rows.where('ota_device.tenancy_id', '=', tenancyId);
    return rows.executeTakeFirstOrThrow();
  };

  return {
    counts,

    getSystemDeviceCurrentCount: ({ actor }: Context, input: Input<Calls['getSystemDeviceCurrentCount']>) =>
      counts(actor, input),
    getDayDeviceAccessCount: days('accesses'),
    getDayDeviceMessageCount: days('messages'),
    getMonthDeviceAccessCount: months('accesses'),
    getMonthDeviceMessageCount: months('messages'),

    getDeviceDistribution: (
      { actor }: Context,
      input: Input<Calls['getDeviceDistribution']>,
    ): Promise<Output<Calls['getDeviceDistribution']>> => {
      const scope = listScope(actor, input.tenancyId);
      return cachedDistribution(scope.tenancyId ?? '', () => readDistribution(db, scope));
    },

    async getAttentionList(
      { actor }: Context,
      input: Input<Calls['getAttentionList']>,
    ): Promise<Output<Calls['getAttentionList']>> {
      const scope = listScope(actor, input.tenancyId);
      const start = startOfDay(input.timezone ?? UTC, Date.now());
      const [failed, offline, refused, lost] = await Promise.all([
        failedUpgrades(scope, start),
        offlineToday(scope, start),
        rejectedToday(scope, start),
        // The tenants of lost messages are unknown.
        scope.tenancyId === null ? lostMessages(records) : undefined,
      ]);
      type Finding = { n: number; latest: number | null; since?: number };
      const entry = (kind: Attention['kind'], { n, latest, since = start }: Finding): Attention[] =>
        Number(n) === 0 ? [] : [{ kind, count: Number(n), since: iso(since), latest: iso(Number(latest)) }];
      return [
        ...(lost ? entry('lostMessages', lost) : []),
        ...entry('failedUpgrades', failed),
        ...entry('offlineToday', offline),
        ...entry('refusedLogins', refused),
      ];
    },
  };
};

export type HomeService = ReturnType<typeof createHomeService>;
