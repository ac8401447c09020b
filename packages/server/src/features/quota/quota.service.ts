import { type Input, type Output, type QuotaName, type quotaCalls, quotaNames } from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import {
  DAY_MS,
  type Limits,
  limitsIn,
  quotaColumns,
  quotaRowOf,
  type TenantQuota,
  textsOf,
  uploadBytesOf,
  usageDay,
} from '../../domain/tenant/quotas.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { messagesSince, storedBytesByTenant } from '../../records/tenant-usage.ts';

type QuotaDeps = { db: Db; records: RecordDb; notifier: Pick<Notifier, 'send'> };
type Calls = typeof quotaCalls;
type Quotas = Output<Calls['getOwnQuotas']>;

/** The quotas that are set; those with their default are left out. */
const customLimits = (row: TenantQuota | undefined): Partial<Limits> =>
  Object.fromEntries(
    quotaNames.flatMap((name) => {
      const value = row?.[quotaColumns[name]] ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );

/** The quotas of tenants: limits set by the platform, and usage. */
export const createQuotaService = ({ db, records, notifier }: QuotaDeps) => {
  const usageOf = async (tenancyId: string, userId: string | null): Promise<Record<QuotaName, number | null>> => {
    const [stored, messages] = [
      await storedBytesByTenant(records, tenancyId),
      await messagesSince(records, usageDay() * DAY_MS, tenancyId),
    ];
    return {
      messagesPerSecond: null,
      deviceMessagesPerSecond: null,
      messagesPerDay: messages.get(tenancyId) ?? 0,
      storedBytes: stored.get(tenancyId) ?? 0,
      uploadBytes: await uploadBytesOf(db, tenancyId),
      textsPerDay: await textsOf(db, tenancyId, ''),
      userTextsPerDay: userId === null ? null : await textsOf(db, tenancyId, userId),
    };
  };

  const quotasOf = async (tenancyId: string, userId: string | null): Promise<Quotas> => {
    const row = await quotaRowOf(db, tenancyId);
    const limits = limitsIn(row);
    const used = await usageOf(tenancyId, userId);
    const custom = customLimits(row);
    return {
      quotas: quotaNames.map((name) => ({
        name,
        limit: limits[name],
        own: custom[name] === undefined ? 0 : 1,
        used: used[name],
      })),
    };
  };

  const find = async (db: Db, tenancyId: string) => {
    const row = await db
      .selectFrom('tenancy')
      .select(['tenancy_id', 'tenancy_name'])
      .where('tenancy_id', '=', tenancyId)
      .executeTakeFirst();
    if (!row) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
    return row;
  };

  return {
    getOwnQuotas: ({ actor }: Context): Promise<Quotas> => quotasOf(actor.tenancyId, actor.userId),

    async getTenancyQuotas(_context: Context, { tenancyId }: Input<Calls['getTenancyQuotas']>): Promise<Quotas> {
      await find(db, tenancyId);
      return quotasOf(tenancyId, null);
    },

    async updateTenancyQuotas(context: Context, input: Input<Calls['updateTenancyQuotas']>): Promise<null> {
      const { tenancyId, ...limits } = input;
      await withAudit(db, context, async (db) => {
        const { tenancy_name } = await find(db, tenancyId);
        const before = customLimits(await quotaRowOf(db, tenancyId));
        const columns = {
          ...Object.fromEntries(quotaNames.map((name) => [quotaColumns[name], limits[name] ?? null])),
          updated_at: Date.now(),
        } as Omit<TenantQuota, 'tenancy_id'>;
        await db
          .insertInto('tenant_quota')
          .values({ tenancy_id: tenancyId, ...columns })
          .onConflict((conflict) => conflict.column('tenancy_id').doUpdateSet(columns))
          .execute();
        const audit = { tenancyId, targetId: tenancyId, targetName: tenancy_name, before, after: limits };
        return { result: null, audit };
      });
      notifier.send('quota');
      return null;
    },
  };
};
