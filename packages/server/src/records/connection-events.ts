import { ConnectStatus, type DeviceCodeName, type DisconnectReason } from '@device-center/contract';
import type { ConnectRecordTable } from '../db/record-tables.ts';
import { nextSequenceId } from '../platform/ids.ts';

type Whose = { tenancyId: string; productId: string; deviceId: string };
/** `recordId`: of a record that is not written when it happens. */
type Seen = { at: number; ip: string; transport: string; recordId?: number };
type Said = Pick<ConnectRecordTable, 'status' | 'reason' | 'detail'> &
  Partial<Pick<ConnectRecordTable, 'place' | 'duration_ms'>>;

const DETAIL_MAX = 300;

const rowOf = ({ tenancyId, productId, deviceId }: Whose, seen: Seen, said: Said): ConnectRecordTable => ({
  record_id: seen.recordId ?? nextSequenceId(seen.at),
  tenancy_id: tenancyId,
  product_id: productId,
  device_id: deviceId,
  connect_time: seen.at,
  status: said.status,
  reason: said.reason,
  place: said.place ?? '',
  detail: said.detail.slice(0, DETAIL_MAX),
  ip: seen.ip,
  transport: seen.transport,
  duration_ms: said.duration_ms ?? 0,
});

/** `parentId`: the gateway that it came behind. */
export const connectedRow = (whose: Whose, seen: Seen, parentId: string | null): ConnectRecordTable =>
  rowOf(whose, seen, { status: ConnectStatus.connected, reason: '', detail: parentId ? `behind ${parentId}` : '' });

/** `since`: when it had come. */
export const disconnectedRow = (
  whose: Whose,
  seen: Seen,
  since: number,
  reason: DisconnectReason,
  detail: string,
): ConnectRecordTable => {
  const duration_ms = Math.max(0, seen.at - since);
  return rowOf(whose, seen, { status: ConnectStatus.disconnected, reason, detail, duration_ms });
};

export type RejectionStage = Exclude<ConnectRecordTable['place'], ''>;

export const rejectedRow = (
  whose: Whose,
  seen: Seen,
  place: RejectionStage,
  cause: DeviceCodeName,
  detail: string,
): ConnectRecordTable => rowOf(whose, seen, { status: ConnectStatus.refused, reason: cause, place, detail });
