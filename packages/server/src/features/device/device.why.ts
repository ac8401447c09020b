import type { DeviceWhy, Language } from '@device-center/contract';
import type { RecordDb } from '../../db/connect.ts';
import { type DeviceRecord, isoOrBlank } from '../../db/devices.ts';
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

const forbidden = (row: DeviceRecord): DeviceWhy[] => {
  const why: DeviceWhy[] = [];
  if (row.tenancy_enabled === 0) why.push({ kind: 'tenancyClosed', time: '', cause: '', detail: '' });
  if (row.application_enabled === 0)
    why.push({ kind: 'applicationDisabled', time: '', cause: '', detail: row.application_name });
  if (row.blacklisted === 1)
    why.push({ kind: 'blacklisted', time: isoOrBlank(row.black_at), cause: '', detail: row.black_reason });
  if (row.kicked_until > Date.now()) why.push({ kind: 'kicked', time: iso(row.kicked_until), cause: '', detail: '' });
  return why;
};

/** Every reason that holds, in the order in which they should be looked into. */
export const whyOffline = async (
  records: RecordDb,
  row: DeviceRecord,
  gatewayOnline: boolean,
  language: Language,
): Promise<DeviceWhy[]> => {
  const why = forbidden(row);
  if (row.parent_id !== '' && !gatewayOnline)
    why.push({ kind: 'gatewayOffline', time: '', cause: '', detail: row.parent_id });

  const presence = await lastOf(records, row, [1, 2]);
  const refusal = await lastOf(records, row, [3]);
  // A refusal before it last came or went has been overcome.
  if (refusal && refusal.record_id > (presence?.record_id ?? 0))
    why.push({
      kind: 'refused',
      time: iso(refusal.connect_time),
      cause: refusal.reason,
      detail: problemIn(language, refusal.detail),
    });
  if (row.first_connect_at === 0 && !presence) why.push({ kind: 'neverConnected', time: '', cause: '', detail: '' });
  else
    why.push({
      kind: 'disconnected',
      time: isoOrBlank(presence?.connect_time ?? row.presence_at),
      cause: presence?.status === 2 ? presence.reason : '',
      detail: presence?.status === 2 ? presence.detail : '',
    });
  return why;
};
