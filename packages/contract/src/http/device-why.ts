import { z } from 'zod';

/** Why a device is not online, in the order in which it should be looked into. */
export const whyKinds = [
  'tenancyClosed',
  'applicationDisabled',
  'blacklisted',
  'kicked',
  'gatewayOffline',
  'refused',
  'neverConnected',
  'disconnected',
] as const;

export const deviceWhy = z.object({
  kind: z.enum(whyKinds),
  /** When that was, or until when it holds (`kicked`); '' when it has no time. */
  time: z.string(),
  /** `refused`: the protocol's word. `disconnected`: the reason of the connect record. Else ''. */
  cause: z.string(),
  detail: z.string(),
});
export type OfflineReason = z.output<typeof deviceWhy>;
