import type { Answer } from '@device-center/contract';
import type { Hub } from '../hub.ts';

export type Done = {
  answer: Answer<unknown, unknown>;
  /** Who did it, to what; undefined where there is nothing before or after. */
  expected: { username: string; tenancyId: string; targetId: string; before?: object; after?: object };
};

export type Commands = (hub: Hub, tenancyId: string, secrets: string[]) => Record<string, () => Promise<Done>>;
