import type { UpgradeState } from '@device-center/virtual-device';

export const upgradeSteps = ['download', 'verify', 'install', 'report'] as const;
export type UpgradeStep = (typeof upgradeSteps)[number];
export type UpgradeStepState = 'idle' | 'working' | 'done' | 'failed';

const atWork = { downloading: 0, verifying: 1, installing: 2 } as const;
const failedAt = { 3: 0, 4: 1, 5: 2 } as const;

/** Index of the current or last step; 0 after cancellation. */
const placeOf = ({ phase, reason }: UpgradeState): number => {
  if (phase === 'installed') return upgradeSteps.length;
  if (phase === 'cancelled') return 0;
  return phase === 'failed' ? failedAt[reason ?? 3] : atWork[phase];
};

/** State of each step of an upgrade. */
export const stepStates = (state: UpgradeState): UpgradeStepState[] => {
  const place = placeOf(state);
  const here = state.phase === 'failed' ? 'failed' : state.phase === 'cancelled' ? 'idle' : 'working';
  return upgradeSteps.map((_, index) => (index < place ? 'done' : index === place ? here : 'idle'));
};
