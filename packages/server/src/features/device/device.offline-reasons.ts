import type { Language, OfflineReason } from '@device-center/contract';
import type { RecordDb } from '../../db/connect.ts';
import type { DeviceRecord } from '../../domain/device/devices.ts';
import { offlineReasons } from '../../domain/device/offline-reasons.ts';
import { problemIn } from '../../domain/model/value-problem.ts';
import { iso } from '../../platform/time.ts';

const lastOf = (records: RecordDb, { device_id, tenancy_id }: DeviceRecord, statuses: (1 | 2 | 3)[]) =>
  records
    .selectFrom('connect_record')
    .selectAll()
    .where('device_id', '=', device_id)
    .where('tenancy_id', '=', tenancy_id)
    .where('status', 'in', statuses)
    .orderBy('record_id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The reasons by the device's row, and by its connection events: how the connection ended, and a later rejection. */
export const readOfflineReasons = async (
  records: RecordDb,
  row: DeviceRecord,
  language: Language,
): Promise<OfflineReason[]> => {
  const reasons = offlineReasons(row);
  const presence = await lastOf(records, row, [1, 2]);
  const rejection = await lastOf(records, row, [3]);
  if (presence)
    reasons.splice(-1, 1, {
      kind: 'disconnected',
      time: iso(presence.connect_time),
      cause: presence.status === 2 ? presence.reason : '',
      detail: presence.status === 2 ? presence.detail : '',
    });
  // A rejection before the last connect or disconnect is obsolete.
  if (rejection && rejection.record_id > (presence?.record_id ?? 0))
    reasons.splice(-1, 0, {
      kind: 'refused',
      time: iso(rejection.connect_time),
      cause: rejection.reason,
      detail: problemIn(language, rejection.detail),
    });
  return reasons;
};
