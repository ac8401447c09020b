import type { OfflineReason } from '@device-center/contract';
import { iso, isoOrBlank } from '../../platform/time.ts';

/** The columns that tell why a device is offline. */
type OfflineRow = {
  tenancy_enabled: number;
  application_enabled: number;
  application_name: string;
  blacklisted: number;
  black_at: number;
  black_reason: string;
  kicked_until: number;
  parent_id: string;
  gateway_online: 1 | 2 | null;
  first_connect_at: number;
  presence_at: number;
  offline_reason: string;
};

/** All reasons that apply, in the order to investigate them; the last is how it went offline. */
export const offlineReasons = (row: OfflineRow): OfflineReason[] => {
  const reasons: OfflineReason[] = [];
  if (row.tenancy_enabled === 0) reasons.push({ kind: 'tenancyClosed', time: '', cause: '', detail: '' });
  if (row.application_enabled === 0)
    reasons.push({ kind: 'applicationDisabled', time: '', cause: '', detail: row.application_name });
  if (row.blacklisted === 1)
    reasons.push({ kind: 'blacklisted', time: isoOrBlank(row.black_at), cause: '', detail: row.black_reason });
  if (row.kicked_until > Date.now())
    reasons.push({ kind: 'kicked', time: iso(row.kicked_until), cause: '', detail: '' });
  if (row.parent_id !== '' && row.gateway_online !== 1)
    reasons.push({ kind: 'gatewayOffline', time: '', cause: '', detail: row.parent_id });
  const last: OfflineReason =
    row.first_connect_at === 0
      ? { kind: 'neverConnected', time: '', cause: '', detail: '' }
      : { kind: 'disconnected', time: isoOrBlank(row.presence_at), cause: row.offline_reason, detail: '' };
  return [...reasons, last];
};
