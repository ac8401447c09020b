import { databaseTime } from '../../db/clock.ts';
import type { Db, RecordDb } from '../../db/connect.ts';
import { DAY_MS, type Limits, limitsIn, usageDay } from '../../domain/tenant/quotas.ts';
import type { RateLimit } from '../../mqtt/server-types.ts';
import { messagesSince } from '../../records/tenant-usage.ts';
import { Meter } from './meter.ts';

type RateLimitDeps = { db: Db; records: RecordDb };
type TenantRateLimit = { meter: Meter; limits: Limits; devices: Map<string, Meter> };

const SECONDS_A_DAY = DAY_MS / 1_000;

/**
 * Message rates of devices and tenants. A device over its rate is read more slowly and loses nothing. A tenant over its
 * daily quota continues at the rate at which the quota lasts for a day.
 */
export const createRateLimits = ({ db, records }: RateLimitDeps) => {
  const tenants = new Map<string, TenantRateLimit>();
  const defaults = limitsIn(undefined);
  let limits = new Map<string, Limits>();
  let today = new Map<string, number>();
  /** Number of live hubs: each grants its share of a tenant's rate. */
  let hubs = 1;
  const slowed = { device: 0, tenant: 0 };

  const tenantRate = (tenancyId: string, { messagesPerSecond, messagesPerDay }: Limits): number => {
    const isUsedUp = (today.get(tenancyId) ?? 0) >= messagesPerDay;
    const rate = isUsedUp ? Math.min(messagesPerSecond, messagesPerDay / SECONDS_A_DAY) : messagesPerSecond;
    return Math.max(1, rate) / hubs;
  };

  const tenantOf = (tenancyId: string): TenantRateLimit => {
    const known = tenants.get(tenancyId);
    if (known) return known;
    const own = limits.get(tenancyId) ?? defaults;
    const created = { meter: new Meter(tenantRate(tenancyId, own)), limits: own, devices: new Map<string, Meter>() };
    tenants.set(tenancyId, created);
    return created;
  };

  return {
    /** The limit of one connection: a device, or a gateway with its children. */
    of(tenancyId: string, deviceId: string): RateLimit & { end: () => void } {
      const tenant = tenantOf(tenancyId);
      // A reconnecting device continues with its previous meter.
      const device = tenant.devices.get(deviceId) ?? new Meter(tenant.limits.deviceMessagesPerSecond);
      tenant.devices.set(deviceId, device);
      for (const meter of [device, tenant.meter]) meter.users++;
      /** Meters that still have to grant a turn: the device's, then its tenant's. */
      let turns: Meter[] = [device, tenant.meter];
      let waiting: (() => void) | undefined;

      const isAllowed = (resume: () => void): boolean => {
        if (waiting) return false;
        for (let meter = turns[0]; meter; meter = turns[0]) {
          if (!meter.tryTake()) {
            slowed[meter === device ? 'device' : 'tenant']++;
            waiting = () => {
              waiting = undefined;
              turns = turns.slice(1);
              resume();
            };
            meter.wait(waiting);
            return false;
          }
          turns = turns.slice(1);
        }
        return true;
      };
      return {
        isAllowed,
        consume: () => {
          turns = [device, tenant.meter];
        },
        end: () => {
          for (const meter of [device, tenant.meter]) meter.users--;
          if (waiting) turns[0]?.leave(waiting);
        },
      };
    },

    /** Reloads the limits and today's message counts. */
    async refresh(): Promise<void> {
      const rows = await db.selectFrom('tenant_quota').selectAll().execute();
      const { live } = await db
        .selectFrom('hub_instance')
        .select((row) => row.fn.countAll<number>().as('live'))
        .where('lease_until', '>', databaseTime(db))
        .executeTakeFirstOrThrow();
      today = await messagesSince(records, usageDay() * DAY_MS);
      limits = new Map(rows.map((row) => [row.tenancy_id, limitsIn(row)]));
      hubs = Math.max(1, Number(live));
      for (const [tenancyId, tenant] of tenants) {
        tenant.limits = limits.get(tenancyId) ?? defaults;
        tenant.meter.setRate(tenantRate(tenancyId, tenant.limits));
        for (const [deviceId, device] of tenant.devices) {
          device.setRate(tenant.limits.deviceMessagesPerSecond);
          if (device.isUnused) tenant.devices.delete(deviceId);
        }
        if (tenant.devices.size === 0 && tenant.meter.isUnused) tenants.delete(tenancyId);
      }
    },

    stats: () => ({ slowed: { ...slowed } }),
  };
};

export type RateLimits = ReturnType<typeof createRateLimits>;
