import { z } from 'zod';
import { logLevelIds } from './payloads.ts';
import { upgradeCancel, upgradeOrder } from './upgrade.ts';

/**
 * The services that every device has, whatever its model, with their inputs. Not strict: a device that is older than
 * its hub obeys by what it knows.
 */
export const systemInputs = {
  /** 1 restart, 2 restart and forget local settings. */
  restart: z.object({ type: z.literal([1, 2]) }),
  logLevel: z.object({ logLevel: z.literal(logLevelIds) }),
  logSwitch: z.object({ logSwitch: z.literal([0, 1]) }),
  /** `untilTime`: when it may come back, as epoch milliseconds. */
  kick: z.object({ reason: z.string(), untilTime: z.int().nonnegative().optional() }),
  ota: upgradeOrder,
  otaCancel: upgradeCancel,
};

export type SystemService = keyof typeof systemInputs;
export const isSystemService = (service: string): service is SystemService => Object.hasOwn(systemInputs, service);
