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
import { lostMessages } from '../../db/lost-messages.ts';
import { type Scope, scopeSeen } from '../../db/scope.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { firstNumberAt } from '../../platform/ids.ts';
import { memoizeWithTtl } from '../../platform/memoize-with-ttl.ts';
import { iso } from '../../platform/time.ts';
import { lastDays, lastMonths, type Span, startOfDay } from '../../platform/time-zone.ts';
import { countedEver, countedIn } from './home.counters.ts';
import { readDistribution } from './home.distribution.ts';
import { fleetAt, fleetNow } from './home.snapshot.ts';

type Calls = typeof homeCalls;
type Deps = { db: Db; records: RecordDb };
type Asked = { timezone?: string | undefined; tenancyId?: string | undefined };

/** How old figures may be that many watch at once. */
const COUNTS_MS = 900;
const DISTRIBUTION_MS = 5_000;
const UTC = 'UTC';

/** The fleet at a glance. Messages and connections come from counters, so a hundred million cost what a thousand cost. */
export const createHomeService = ({ db, records }: Deps) => {
  const keptCounts = memoizeWithTtl<FleetCounts>(COUNTS_MS);
  const keptDistribution = memoizeWithTtl<FleetDistribution>(DISTRIBUTION_MS);

  const isDemonstration = async ({ tenancyId }: Scope): Promise<0 | 1> => {
    let rows = db.selectFrom('tenancy').select('tenancy_id').where('demo', '=', 1);
    if (tenancyId !== null) rows = rows.where('tenancy_id', '=', tenancyId);
    return (await rows.limit(1).executeTakeFirst()) ? 1 : 0;
  };

  const readCounts = async (scope: Scope, timezone: string): Promise<FleetCounts> => {
    const now = Date.now();
    const dayStart = startOfDay(timezone, now);
    const day: Span = { name: '', from: dayStart, to: now + 86_400_000 };
    const [fleet, then, ever, [today], demonstration] = await Promise.all([
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
        deviceCount: fleet.devices - then.devices,
        messageCount: today?.messages ?? 0,
        connectedCount: fleet.connected - then.connected,
        onlineCount: fleet.online - then.online,
        accessCount: today?.accesses ?? 0,
      },
      demonstration,
    };
  };

  const counts = (actor: Actor, asked: Asked): Promise<FleetCounts> => {
    const scope = scopeSeen(actor, asked.tenancyId);
    const { timezone = UTC } = asked;
    return keptCounts(`${scope.tenancyId ?? ''}\n${timezone}`, () => readCounts(scope, timezone));
  };

  const chart = async (
    actor: Actor,
    asked: Asked,
    what: 'messages' | 'accesses',
    spans: Span[],
  ): Promise<{ name: string; count: number }[]> => {
    const sums = await countedIn(records, scopeSeen(actor, asked.tenancyId), spans);
    return spans.map(({ name }, place) => ({ name, count: sums[place]?.[what] ?? 0 }));
  };

  const days =
    (what: 'messages' | 'accesses') =>
    async ({ actor }: Context, asked: Input<Calls['getDayDeviceMessageCount']>) => {
      const spans = lastDays(asked.timezone ?? UTC, asked.scopeSign, Date.now());
      return (await chart(actor, asked, what, spans)).map(({ name, count }) => ({ date: name, count }));
    };
  const months =
    (what: 'messages' | 'accesses') =>
    async ({ actor }: Context, asked: Input<Calls['getMonthDeviceMessageCount']>) => {
      const spans = lastMonths(asked.timezone ?? UTC, MONTHS_SHOWN, Date.now());
      return (await chart(actor, asked, what, spans)).map(({ name, count }) => ({ month: name, count }));
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

  /** At most a thousand of a tenant are kept. */
  const refusedToday = async ({ tenancyId }: Scope, since: number) => {
    const whose = tenancyId === null ? sql<boolean>`true` : sql<boolean>`tenancy_id = ${tenancyId}`;
    return records
      .selectFrom('connect_record')
      .select((row) => [row.fn.countAll<number>().as('n'), row.fn.max('connect_time').as('latest')])
      .where(whose)
      .where('status', '=', ConnectStatus.refused)
      .where('record_id', '>=', firstNumberAt(since))
      .executeTakeFirstOrThrow();
  };

  /** Rehearsals fail on purpose. */
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

    getSystemDeviceCurrentCount: ({ actor }: Context, asked: Input<Calls['getSystemDeviceCurrentCount']>) =>
      counts(actor, asked),
    getDayDeviceAccessCount: days('accesses'),
    getDayDeviceMessageCount: days('messages'),
    getMonthDeviceAccessCount: months('accesses'),
    getMonthDeviceMessageCount: months('messages'),

    getDeviceDistribution: (
      { actor }: Context,
      asked: Input<Calls['getDeviceDistribution']>,
    ): Promise<Output<Calls['getDeviceDistribution']>> => {
      const scope = scopeSeen(actor, asked.tenancyId);
      return keptDistribution(scope.tenancyId ?? '', () => readDistribution(db, scope));
    },

    async getAttentionList(
      { actor }: Context,
      asked: Input<Calls['getAttentionList']>,
    ): Promise<Output<Calls['getAttentionList']>> {
      const scope = scopeSeen(actor, asked.tenancyId);
      const start = startOfDay(asked.timezone ?? UTC, Date.now());
      const [failed, offline, refused, lost] = await Promise.all([
        failedUpgrades(scope, start),
        offlineToday(scope, start),
        refusedToday(scope, start),
        // Nobody knows of which tenants they were.
        scope.tenancyId === null ? lostMessages(records) : undefined,
      ]);
      type Found = { n: number; latest: number | null; since?: number };
      const entry = (kind: Attention['kind'], { n, latest, since = start }: Found): Attention[] =>
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
