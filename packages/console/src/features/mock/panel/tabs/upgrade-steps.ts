import type { UpgradeState } from '@device-center/virtual-device';

export const upgradeSteps = ['download', 'verify', 'install', 'report'] as const;
export type UpgradeStep = (typeof upgradeSteps)[number];
export type UpgradeStepState = 'idle' | 'working' | 'done' | 'failed';

const stepOfPhase = { downloading: 0, verifying: 1, installing: 2 } as const;
const stepOfReason = { 3: 0, 4: 1, 5: 2 } as const;

/** Index of the current or last step; 0 after cancellation. */
const stepIndexOf = ({ phase, reason }: UpgradeState): number => {
  if (phase === 'installed') return upgradeSteps.length;
  if (phase === 'cancelled') return 0;
  return phase === 'failed' ? stepOfReason[reason ?? 3] : stepOfPhase[phase];
};

/** State of each step of an upgrade. */
export const stepStates = (state: UpgradeState): UpgradeStepState[] => {
  const current = stepIndexOf(state);
  const here = state.phase === 'failed' ? 'failed' : state.phase === 'cancelled' ? 'idle' : 'working';
  return upgradeSteps.map((_, index) => (index < current ? 'done' : index === current ? here : 'idle'));
};
