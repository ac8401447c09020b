import type { Language, OfflineReason } from '@device-center/contract';
import type { RecordDb } from '../../db/connect.ts';
import type { DeviceRecord } from '../../db/devices.ts';
import { offlineReasons } from '../../db/offline-reasons.ts';
import { problemIn } from '../../db/value-problem.ts';
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

/** What the row says, and what only the records know: how the connection ended, and that it was refused since. */
export const whyOffline = async (
  records: RecordDb,
  row: DeviceRecord,
  language: Language,
): Promise<OfflineReason[]> => {
  const why = offlineReasons(row);
  const presence = await lastOf(records, row, [1, 2]);
  const refusal = await lastOf(records, row, [3]);
  if (presence)
    why.splice(-1, 1, {
      kind: 'disconnected',
      time: iso(presence.connect_time),
      cause: presence.status === 2 ? presence.reason : '',
      detail: presence.status === 2 ? presence.detail : '',
    });
  // A refusal before it last came or went has been overcome.
  if (refusal && refusal.record_id > (presence?.record_id ?? 0))
    why.splice(-1, 0, {
      kind: 'refused',
      time: iso(refusal.connect_time),
      cause: refusal.reason,
      detail: problemIn(language, refusal.detail),
    });
  return why;
};
