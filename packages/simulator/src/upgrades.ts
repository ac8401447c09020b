import type { MockUpgradeFault } from '@device-center/contract';
import type { Device, DeviceClient, UpgradeOptions } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import type { Options, UpgradeFaultKind } from './arguments.ts';
import { upgradeFaultKinds } from './arguments.ts';
import { count, type Stats } from './stats.ts';

/** Number of devices with a fault; a fraction is a share of the fleet. */
const devicesWithFault = ({ upgradeFaults, devices }: Options, kind: UpgradeFaultKind): number =>
  upgradeFaults[kind] < 1 ? Math.round(upgradeFaults[kind] * devices) : upgradeFaults[kind];

/** Assigns faults in options: the first devices get the first fault, then the next; the remaining devices have none. */
export const upgradeFaultOf = (options: Options, index: number): MockUpgradeFault => {
  let position = index;
  for (const kind of upgradeFaultKinds) {
    position -= devicesWithFault(options, kind);
    if (position < 0) return kind;
  }
  return '';
};

type UpgradeParts = { options: Options; stats: Stats; fault: MockUpgradeFault; goOffline: () => void };

/** Upgrade options of one simulated device; counts its upgrade orders. */
export const upgradeFor = ({ options, stats, fault, goOffline }: UpgradeParts): UpgradeOptions => {
  const upgrade = createVirtualUpgrade({ fault: () => fault, goOffline, installMs: options.install * 1_000 });
  return {
    ...upgrade,
    accept: (upgradeOrder) => {
      stats.upgrades.ordered++;
      return upgrade.accept?.(upgradeOrder);
    },
  };
};

const reasons = { 3: 'download', 4: 'verification', 5: 'install' } as const;

/** Tracks the phase of each device's upgrade; a device counts in its last phase. */
export const countUpgrades = ({ upgrades }: Stats, on: Device['on'], { deviceId }: DeviceClient): void => {
  on('upgrade', ({ phase, reason }) => {
    const before = upgrades.phaseOf.get(deviceId);
    upgrades.phaseOf.set(deviceId, phase);
    if (phase === 'failed' && before !== 'failed' && reason) count(upgrades.failures, reasons[reason]);
  });
};
