import type { Answer } from '@device-center/contract';
import type { Hub } from '../hub.ts';

export type MutationResult = {
  answer: Answer<unknown, unknown>;
  /** The expected audit entry; `before` or `after` is undefined when the entry has none. */
  expected: { username: string; tenancyId: string; targetId: string; before?: object; after?: object };
};

export type Mutations = (
  hub: Hub,
  tenancyId: string,
  secrets: string[],
) => Record<string, () => Promise<MutationResult>>;
