import { type QuotaName, quotaDefaults } from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { TenantQuotaTable } from '../../db/hub-tables.ts';
import { AppError } from '../../platform/app-error.ts';

export const DAY_MS = 86_400_000;
/** Day number in UTC, as quotas count it. */
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

export type TenantQuota = Selectable<TenantQuotaTable>;

export type Limits = { [Name in QuotaName]: number | (typeof quotaDefaults)[Name] };

/** The limits of a tenant: those of its row, else the defaults. */
export const limitsIn = (row: TenantQuota | undefined): Limits => ({
  messagesPerSecond: row?.messages_per_second ?? quotaDefaults.messagesPerSecond,
  deviceMessagesPerSecond: row?.device_messages_per_second ?? quotaDefaults.deviceMessagesPerSecond,
  messagesPerDay: row?.messages_per_day ?? quotaDefaults.messagesPerDay,
  storedBytes: row?.stored_bytes ?? quotaDefaults.storedBytes,
  uploadBytes: row?.upload_bytes ?? quotaDefaults.uploadBytes,
  textsPerDay: row?.texts_per_day ?? quotaDefaults.textsPerDay,
  userTextsPerDay: row?.user_texts_per_day ?? quotaDefaults.userTextsPerDay,
});

export const quotaRowOf = (db: Db, tenancyId: string): Promise<TenantQuota | undefined> =>
  db.selectFrom('tenant_quota').selectAll().where('tenancy_id', '=', tenancyId).executeTakeFirst();

export const limitsOf = async (db: Db, tenancyId: string): Promise<Limits> => limitsIn(await quotaRowOf(db, tenancyId));

/** Storage limits of the tenants that have one. */
export const storedBytesLimits = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('tenant_quota')
    .select(['tenancy_id', 'stored_bytes'])
    .where('stored_bytes', 'is not', null)
    .execute();
  return new Map(rows.map(({ tenancy_id, stored_bytes }) => [tenancy_id, Number(stored_bytes)]));
};

/** Size of all firmware files, including the full size of unfinished uploads. */
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

/**
 * Increments the count and returns true, unless the limit is reached. One statement, so concurrent calls cannot exceed
 * the limit.
 */
const incrementTexts = async (db: Db, tenancyId: string, userId: string, limit: number): Promise<boolean> => {
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

type Recipient = { tenancyId: string; userId: string };

/** Charges a verification code to the quotas of the user and the tenant. Call in the transaction that sends it. */
export const chargeText = async (db: Db, { tenancyId, userId }: Recipient): Promise<void> => {
  const { userTextsPerDay, textsPerDay } = await limitsOf(db, tenancyId);
  if (!(await incrementTexts(db, tenancyId, userId, userTextsPerDay)))
    throw new AppError('QUOTA_USER_TEXTS', { used: userTextsPerDay, limit: userTextsPerDay });
  if (!(await incrementTexts(db, tenancyId, '', textsPerDay)))
    throw new AppError('QUOTA_TEXTS', { used: textsPerDay, limit: textsPerDay });
};

/**
 * Charges a password recovery code, which anyone can request, to the user's quota only, so that it does not use up the
 * tenant's. Requests from networks where the user has not logged in have their own count, so that they do not use up
 * the user's.
 */
export const chargeRecoveryText = async (
  db: Db,
  { tenancyId, userId }: Recipient,
  isKnown: boolean,
): Promise<boolean> =>
  incrementTexts(
    db,
    tenancyId,
    isKnown ? userId : `${userId} elsewhere`,
    (await limitsOf(db, tenancyId)).userTextsPerDay,
  );

export const sweepTextUsage = async (db: Db): Promise<void> => {
  await db.deleteFrom('text_usage').where('usage_day', '<', usageDay()).execute();
};

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

/** Call in a transaction that has locked the tenant's row, so that concurrent uploads cannot exceed the quota. */
export const requireUploadRoom = async (db: Db, tenancyId: string, size: number): Promise<void> => {
  const { uploadBytes } = await limitsOf(db, tenancyId);
  const used = await uploadBytesOf(db, tenancyId);
  if (used + size <= uploadBytes) return;
  const params = { used: megabytes(used), limit: megabytes(uploadBytes), size: megabytes(size) };
  throw new AppError('QUOTA_UPLOADS', params);
};
