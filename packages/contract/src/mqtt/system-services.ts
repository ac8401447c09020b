import { z } from 'zod';
import { logLevelIds } from './payloads.ts';
import { upgradeCancel, upgradeOrder } from './upgrade.ts';

/**
 * Inputs of the system services, which every device has. Not strict: a device older than its hub ignores fields that it
 * does not know.
 */
export const systemInputs = {
  /** 1: restart; 2: restart and reset local settings. */
  restart: z.object({ type: z.literal([1, 2]) }),
  logLevel: z.object({ logLevel: z.literal(logLevelIds) }),
  logSwitch: z.object({ logSwitch: z.literal([0, 1]) }),
  /** `untilTime`: end of the login restriction, in epoch milliseconds. */
  kick: z.object({ reason: z.string(), untilTime: z.int().nonnegative().optional() }),
  ota: upgradeOrder,
  otaCancel: upgradeCancel,
};

export type SystemService = keyof typeof systemInputs;
export const isSystemService = (service: string): service is SystemService => Object.hasOwn(systemInputs, service);
