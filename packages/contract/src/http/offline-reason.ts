import { z } from 'zod';

/** Why a device is offline, in the order in which an operator should check. */
export const offlineReasonKinds = [
  'tenancyClosed',
  'applicationDisabled',
  'blacklisted',
  'kicked',
  'gatewayOffline',
  'refused',
  'neverConnected',
  'disconnected',
] as const;

export const offlineReasonSchema = z.object({
  kind: z.enum(offlineReasonKinds),
  /** When it happened, or the end of the restriction (`kicked`); '' if not applicable. */
  time: z.string(),
  /** `refused`: the device protocol code. `disconnected`: the disconnect reason. Otherwise ''. */
  cause: z.string(),
  detail: z.string(),
});
export type OfflineReason = z.output<typeof offlineReasonSchema>;
