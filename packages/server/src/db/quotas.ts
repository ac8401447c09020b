import { type QuotaName, quotaDefaults } from '@device-center/contract';
import { AppError } from '../platform/app-error.ts';
import type { Db } from './connect.ts';
import type { TenantQuotaTable } from './tables.ts';

export const DAY_MS = 86_400_000;
/** Days of quotas are those of UTC. */
export const usageDay = (now = Date.now()): number => Math.floor(now / DAY_MS);

export const quotaColumns = {
  messagesPerSecond: 'messages_per_second',
  deviceMessagesPerSecond: 'device_messages_per_second',
  messagesPerDay: 'messages_per_day',
  storedBytes: 'stored_bytes',
  uploadBytes: 'upload_bytes',
  textsPerDay: 'texts_per_day',
  userTextsPerDay: 'user_texts_per_day',
} as const satisfies Record<QuotaName, keyof TenantQuotaTable>;

export type Limits = { [Name in QuotaName]: number | (typeof quotaDefaults)[Name] };

/** What holds for a tenant with this row, or with none. */
export const limitsIn = (row: TenantQuotaTable | undefined): Limits => ({
  messagesPerSecond: row?.messages_per_second ?? quotaDefaults.messagesPerSecond,
  deviceMessagesPerSecond: row?.device_messages_per_second ?? quotaDefaults.deviceMessagesPerSecond,
  messagesPerDay: row?.messages_per_day ?? quotaDefaults.messagesPerDay,
  storedBytes: row?.stored_bytes ?? quotaDefaults.storedBytes,
  uploadBytes: row?.upload_bytes ?? quotaDefaults.uploadBytes,
  textsPerDay: row?.texts_per_day ?? quotaDefaults.textsPerDay,
  userTextsPerDay: row?.user_texts_per_day ?? quotaDefaults.userTextsPerDay,
});

export const quotaRowOf = (db: Db, tenancyId: string): Promise<TenantQuotaTable | undefined> =>
  db.selectFrom('tenant_quota').selectAll().where('tenancy_id', '=', tenancyId).executeTakeFirst();

export const limitsOf = async (db: Db, tenancyId: string): Promise<Limits> => limitsIn(await quotaRowOf(db, tenancyId));

/** Of tenants that have such a limit. */
export const storedBytesLimits = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('tenant_quota')
    .select(['tenancy_id', 'stored_bytes'])
    .where('stored_bytes', 'is not', null)
    .execute();
  return new Map(rows.map(({ tenancy_id, stored_bytes }) => [tenancy_id, Number(stored_bytes)]));
};

/** Firmware, and what unfinished uploads are going to have. */
export const uploadBytesOf = async (db: Db, tenancyId: string): Promise<number> => {
  const { bytes } = await db
    .selectFrom('firmware_file')
    .select((row) => row.fn.sum<number | null>('size').as('bytes'))
    .where('tenancy_id', '=', tenancyId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
};

export const textsOf = async (db: Db, tenancyId: string, userId: string): Promise<number> => {
  const row = await db
    .selectFrom('text_usage')
    .select('texts')
    .where('tenancy_id', '=', tenancyId)
    .where('user_id', '=', userId)
    .where('usage_day', '=', usageDay())
    .executeTakeFirst();
  return row?.texts ?? 0;
};

/** Counts one more and answers true, or leaves the count as it is: two at once cannot both take the last. */
const countText = async (db: Db, tenancyId: string, userId: string, limit: number): Promise<boolean> => {
  const usage_day = usageDay();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('text_usage')
    .values({ tenancy_id: tenancyId, user_id: userId, usage_day, texts: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['tenancy_id', 'user_id'])
        .doUpdateSet((row) => ({
          usage_day,
          texts: row
            .case()
            .when('text_usage.usage_day', '=', usage_day)
            .then(row('text_usage.texts', '+', 1))
            .else(1)
            .end(),
        }))
        .where((row) => row.or([row('text_usage.usage_day', '<>', usage_day), row('text_usage.texts', '<', limit)])),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
};

type Addressee = { tenancyId: string; userId: string };

/** A code for a user who asks for it: it counts for the user and the tenant. Within the transaction that sends it. */
export const takeText = async (db: Db, { tenancyId, userId }: Addressee): Promise<void> => {
  const { userTextsPerDay, textsPerDay } = await limitsOf(db, tenancyId);
  if (!(await countText(db, tenancyId, userId, userTextsPerDay)))
    throw new AppError('QUOTA_USER_TEXTS', { used: userTextsPerDay, limit: userTextsPerDay });
  if (!(await countText(db, tenancyId, '', textsPerDay)))
    throw new AppError('QUOTA_TEXTS', { used: textsPerDay, limit: textsPerDay });
};

/**
 * A code that a stranger may have asked for: for its user alone, so that nobody else's are used up by it. What is asked
 * for at addresses where the user has not logged in counts apart, so that not even the user's own are used up.
 */
export const takeRecoveryText = async (db: Db, { tenancyId, userId }: Addressee, isKnown: boolean): Promise<boolean> =>
  countText(db, tenancyId, isKnown ? userId : `${userId} elsewhere`, (await limitsOf(db, tenancyId)).userTextsPerDay);

export const sweepTextUsage = async (db: Db): Promise<void> => {
  await db.deleteFrom('text_usage').where('usage_day', '<', usageDay()).execute();
};

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

/** Within a transaction that holds the tenant's row, so that two uploads at once do not both take what is left. */
export const requireUploadRoom = async (db: Db, tenancyId: string, size: number): Promise<void> => {
  const { uploadBytes } = await limitsOf(db, tenancyId);
  const used = await uploadBytesOf(db, tenancyId);
  if (used + size <= uploadBytes) return;
  const params = { used: megabytes(used), limit: megabytes(uploadBytes), size: megabytes(size) };
  throw new AppError('QUOTA_UPLOADS', params);
};
