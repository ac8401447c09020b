import { categoryMutations } from './mutations/category.ts';
import { controlMutations } from './mutations/control.ts';
import { deviceMutations } from './mutations/device.ts';
import { firmwareMutations } from './mutations/firmware.ts';
import { mockMutations } from './mutations/mock.ts';
import { modelMutations } from './mutations/model.ts';
import type { Mutations } from './mutations/mutation-result.ts';
import { otaMutations } from './mutations/ota.ts';
import { personalMutations } from './mutations/personal.ts';
import { productMutations } from './mutations/product.ts';
import { syncMutations } from './mutations/sync.ts';
import { systemMutations } from './mutations/system.ts';
import { zoneMutations } from './mutations/zone.ts';

export type { MutationResult } from './mutations/mutation-result.ts';

/**
 * A successful request for each mutation of the contract, by `slice.call`, with its expected audit entry.
 * Passwords, codes and tokens that are used are added to `secrets`.
 */
export const allMutations: Mutations = (...place) => ({
  ...personalMutations(...place),
  ...systemMutations(...place),
  ...categoryMutations(...place),
  ...productMutations(...place),
  ...modelMutations(...place),
  ...deviceMutations(...place),
  ...controlMutations(...place),
  ...mockMutations(...place),
  ...firmwareMutations(...place),
  ...otaMutations(...place),
  ...zoneMutations(...place),
  ...syncMutations(...place),
});
