import type { Language } from '@device-center/contract';
import { AppError } from '../platform/app-error.ts';
import type { Db } from './connect.ts';

/** Built-in zones have a second language; all others are as people wrote them. */
export const zoneNameIn = (language: Language, row: { zone_name: string; english: string | null }): string =>
  language === 'en_US' && row.english ? row.english : row.zone_name;

/** Decisions §4: a device may be placed in an inner zone only. */
export const findZoneForDevices = async (db: Db, zoneId: number): Promise<void> => {
  const row = await db
    .selectFrom('zone')
    .select(['zone_type', 'status'])
    .where('zone_id', '=', zoneId)
    .executeTakeFirst();
  if (!row) throw new AppError('ZONE_NOT_FOUND', {}, 'haZoneId');
  if (row.zone_type !== 1 || row.status !== 1) throw new AppError('ZONE_NOT_FOR_DEVICES', {}, 'haZoneId');
};
