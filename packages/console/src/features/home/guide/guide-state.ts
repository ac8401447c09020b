import { ApiError } from '../../../api/api-error.ts';
import type { Face } from './device-preview.ts';
import type { LinkStep } from './mock-session.ts';
import type { Made } from './resources.ts';
import { MissingMenu, type StepId, stepIds } from './step-permissions.ts';

export type Tick =
  | { state: 'waiting' | 'running' | 'ready' | 'done' }
  | { state: 'failed'; reason: string; requestId?: string | undefined }
  | { state: 'blocked'; menuId: number; reason: string };

export type LinkMark = 'waiting' | 'done' | 'failed';

export type GuideState = {
  /** Null while there is a template to choose. */
  made: Made | null;
  /** What was remembered is no longer there. */
  gone: boolean;
  ticks: Record<StepId, Tick>;
  link: Record<LinkStep, LinkMark>;
  childrenOnline: number;
  childrenTotal: number;
  online: boolean;
  face: Face | null;
};

const everyStep = (tick: Tick): Record<StepId, Tick> =>
  Object.fromEntries(stepIds.map((id) => [id, tick])) as Record<StepId, Tick>;

export const noLink: Pick<GuideState, 'link' | 'childrenOnline' | 'online'> = {
  link: { login: 'waiting', connect: 'waiting', subscribe: 'waiting' },
  childrenOnline: 0,
  online: false,
};

export const freshState = (made: Made | null): GuideState => ({
  made,
  gone: false,
  ticks: everyStep({ state: 'waiting' }),
  ...noLink,
  childrenTotal: 0,
  face: null,
});

export const tickOf = (error: unknown): Tick => {
  if (error instanceof MissingMenu) return { state: 'blocked', menuId: error.menuId, reason: error.message };
  if (error instanceof ApiError)
    return {
      state: 'failed',
      reason: [error.message, ...error.details.map(({ message }) => message)].join(' '),
      requestId: error.requestId,
    };
  return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
};
