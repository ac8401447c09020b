import { ConnectStatus, type DeviceCodeName, type DisconnectReason } from '@device-center/contract';
import type { ConnectRecordTable } from '../db/record-tables.ts';
import { nextSequenceId } from '../platform/ids.ts';

type DeviceIds = { tenancyId: string; productId: string; deviceId: string };
/** `recordId`: set for an event that is not written when it occurs. */
type Source = { at: number; ip: string; transport: string; recordId?: number };
type EventFields = Pick<ConnectRecordTable, 'status' | 'reason' | 'detail'> &
  Partial<Pick<ConnectRecordTable, 'place' | 'duration_ms'>>;

const DETAIL_MAX = 300;

const rowOf = (
  { tenancyId, productId, deviceId }: DeviceIds,
  source: Source,
  fields: EventFields,
): ConnectRecordTable => ({
  record_id: source.recordId ?? nextSequenceId(source.at),
  tenancy_id: tenancyId,
  product_id: productId,
  device_id: deviceId,
  connect_time: source.at,
  status: fields.status,
  reason: fields.reason,
  place: fields.place ?? '',
  detail: fields.detail.slice(0, DETAIL_MAX),
  ip: source.ip,
  transport: source.transport,
  duration_ms: fields.duration_ms ?? 0,
});

/** `parentId`: the gateway of a child device. */
export const connectedRow = (device: DeviceIds, source: Source, parentId: string | null): ConnectRecordTable =>
  rowOf(device, source, { status: ConnectStatus.connected, reason: '', detail: parentId ? `behind ${parentId}` : '' });

/** `since`: when it connected. */
export const disconnectedRow = (
  device: DeviceIds,
  source: Source,
  since: number,
  reason: DisconnectReason,
  detail: string,
): ConnectRecordTable => {
  const duration_ms = Math.max(0, source.at - since);
  return rowOf(device, source, { status: ConnectStatus.disconnected, reason, detail, duration_ms });
};

export type RejectionStage = Exclude<ConnectRecordTable['place'], ''>;

export const rejectedRow = (
  device: DeviceIds,
  source: Source,
  place: RejectionStage,
  cause: DeviceCodeName,
  detail: string,
): ConnectRecordTable => rowOf(device, source, { status: ConnectStatus.refused, reason: cause, place, detail });
