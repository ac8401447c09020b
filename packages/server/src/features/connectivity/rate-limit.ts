import { databaseTime } from '../../db/clock.ts';
import type { Db, RecordDb } from '../../db/connect.ts';
import { DAY_MS, type Limits, limitsIn, usageDay } from '../../db/quotas.ts';
import type { Pace } from '../../mqtt/server-types.ts';
import { messagesSince } from '../../records/tenant-usage.ts';
import { Meter } from './meter.ts';

type PaceDeps = { db: Db; records: RecordDb };
type TenantPace = { meter: Meter; limits: Limits; devices: Map<string, Meter> };

const SECONDS_A_DAY = DAY_MS / 1_000;

/**
 * How fast devices and tenants may send. A sender over its rate is read more slowly and loses nothing; a tenant that has
 * used up its day goes on at the rate at which its quota is enough for a day.
 */
export const createPace = ({ db, records }: PaceDeps) => {
  const tenants = new Map<string, TenantPace>();
  const defaults = limitsIn(undefined);
  let limits = new Map<string, Limits>();
  let today = new Map<string, number>();
  /** Every hub gives out its share of a tenant's rate. */
  let hubs = 1;
  const slowed = { device: 0, tenant: 0 };

  const tenantRate = (tenancyId: string, { messagesPerSecond, messagesPerDay }: Limits): number => {
    const isUsedUp = (today.get(tenancyId) ?? 0) >= messagesPerDay;
    const rate = isUsedUp ? Math.min(messagesPerSecond, messagesPerDay / SECONDS_A_DAY) : messagesPerSecond;
    return Math.max(1, rate) / hubs;
  };

  const tenantOf = (tenancyId: string): TenantPace => {
    const known = tenants.get(tenancyId);
    if (known) return known;
    const own = limits.get(tenancyId) ?? defaults;
    const made = { meter: new Meter(tenantRate(tenancyId, own)), limits: own, devices: new Map<string, Meter>() };
    tenants.set(tenancyId, made);
    return made;
  };

  return {
    /** For a connection: of a device, or of a gateway with all behind it. */
    of(tenancyId: string, deviceId: string): Pace & { end: () => void } {
      const tenant = tenantOf(tenancyId);
      // A device that comes again goes on with the rate that it had.
      const device = tenant.devices.get(deviceId) ?? new Meter(tenant.limits.deviceMessagesPerSecond);
      tenant.devices.set(deviceId, device);
      for (const meter of [device, tenant.meter]) meter.users++;
      /** Turns to get: of the device, then of its tenant. */
      let turns: Meter[] = [device, tenant.meter];
      let waiting: (() => void) | undefined;

      const isDue = (resume: () => void): boolean => {
        if (waiting) return false;
        for (let meter = turns[0]; meter; meter = turns[0]) {
          if (!meter.take()) {
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
        isDue,
        spend: () => {
          turns = [device, tenant.meter];
        },
        end: () => {
          for (const meter of [device, tenant.meter]) meter.users--;
          if (waiting) turns[0]?.leave(waiting);
        },
      };
    },

    /** Limits as they are set now, and what was sent today. */
    async look(): Promise<void> {
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

    figures: () => ({ slowed: { ...slowed } }),
  };
};

export type Paces = ReturnType<typeof createPace>;
