import { categoryCommands } from './commands/category.ts';
import { controlCommands } from './commands/control.ts';
import { deviceCommands } from './commands/device.ts';
import type { Commands } from './commands/done.ts';
import { firmwareCommands } from './commands/firmware.ts';
import { mockCommands } from './commands/mock.ts';
import { modelCommands } from './commands/model.ts';
import { otaCommands } from './commands/ota.ts';
import { personalCommands } from './commands/personal.ts';
import { productCommands } from './commands/product.ts';
import { syncCommands } from './commands/sync.ts';
import { systemCommands } from './commands/system.ts';
import { zoneCommands } from './commands/zone.ts';

export type { Done } from './commands/done.ts';

/**
 * How each command of the contract comes to succeed, by `slice.call`, and what its audit entry has to say.
 * The passwords, codes and tokens that come up on the way are put into `secrets`.
 */
export const allMutations: Commands = (...place) => ({
  ...personalCommands(...place),
  ...systemCommands(...place),
  ...categoryCommands(...place),
  ...productCommands(...place),
  ...modelCommands(...place),
  ...deviceCommands(...place),
  ...controlCommands(...place),
  ...mockCommands(...place),
  ...firmwareCommands(...place),
  ...otaCommands(...place),
  ...zoneCommands(...place),
  ...syncCommands(...place),
});
