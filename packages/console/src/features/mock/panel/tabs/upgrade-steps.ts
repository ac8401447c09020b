import type { UpgradeState } from '@device-center/virtual-device';

export const upgradeSteps = ['download', 'verify', 'install', 'report'] as const;
export type UpgradeStep = (typeof upgradeSteps)[number];
export type UpgradeStepState = 'idle' | 'working' | 'done' | 'failed';

const atWork = { downloading: 0, verifying: 1, installing: 2 } as const;
const failedAt = { 3: 0, 4: 1, 5: 2 } as const;

/** Where it is, or where it was when it ended; nothing is under way once it was cancelled. */
const placeOf = ({ phase, reason }: UpgradeState): number => {
  if (phase === 'installed') return upgradeSteps.length;
  if (phase === 'cancelled') return 0;
  return phase === 'failed' ? failedAt[reason ?? 3] : atWork[phase];
};

/** How each step of an upgrade stands. */
export const stepStates = (state: UpgradeState): UpgradeStepState[] => {
  const place = placeOf(state);
  const here = state.phase === 'failed' ? 'failed' : state.phase === 'cancelled' ? 'idle' : 'working';
  return upgradeSteps.map((_, index) => (index < place ? 'done' : index === place ? here : 'idle'));
};
