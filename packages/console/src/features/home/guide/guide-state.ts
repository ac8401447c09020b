import { ApiError } from '../../../api/api-error.ts';
import type { DevicePreview } from './device-preview.ts';
import type { ConnectionStep } from './mock-session.ts';
import type { GuideResources } from './resources.ts';
import { MissingMenu, type StepId, stepIds } from './step-permissions.ts';

export type StepStatus =
  | { state: 'waiting' | 'running' | 'ready' | 'done' }
  | { state: 'failed'; reason: string; requestId?: string | undefined }
  | { state: 'blocked'; menuId: number; reason: string };

export type ConnectionStepState = 'waiting' | 'done' | 'failed';

export type GuideState = {
  /** Null until the user has chosen a template. */
  resources: GuideResources | null;
  /** The stored resources no longer exist. */
  resourcesGone: boolean;
  statuses: Record<StepId, StepStatus>;
  connection: Record<ConnectionStep, ConnectionStepState>;
  childrenOnline: number;
  childrenTotal: number;
  online: boolean;
  preview: DevicePreview | null;
};

const allSteps = (status: StepStatus): Record<StepId, StepStatus> =>
  Object.fromEntries(stepIds.map((id) => [id, status])) as Record<StepId, StepStatus>;

export const notConnected: Pick<GuideState, 'connection' | 'childrenOnline' | 'online'> = {
  connection: { login: 'waiting', connect: 'waiting', subscribe: 'waiting' },
  childrenOnline: 0,
  online: false,
};

export const initialState = (resources: GuideResources | null): GuideState => ({
  resources,
  resourcesGone: false,
  statuses: allSteps({ state: 'waiting' }),
  ...notConnected,
  childrenTotal: 0,
  preview: null,
});

export const statusOfError = (error: unknown): StepStatus => {
  if (error instanceof MissingMenu) return { state: 'blocked', menuId: error.menuId, reason: error.message };
  if (error instanceof ApiError)
    return {
      state: 'failed',
      reason: [error.message, ...error.details.map(({ message }) => message)].join(' '),
      requestId: error.requestId,
    };
  return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
};
