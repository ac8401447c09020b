import type { MockUpgradeFault } from '@device-center/contract';
import type { Device, DeviceClient, UpgradeOptions } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import type { Order, UpgradeFaultKind } from './arguments.ts';
import { upgradeFaultKinds } from './arguments.ts';
import { count, type Figures } from './stats.ts';

/** How many devices a fault strikes: whole numbers are devices, smaller ones a share of the fleet. */
const struckBy = ({ upgradeFaults, devices }: Order, kind: UpgradeFaultKind): number =>
  upgradeFaults[kind] < 1 ? Math.round(upgradeFaults[kind] * devices) : upgradeFaults[kind];

/** The first devices have the first fault, the next ones the next; whoever comes after them has none. */
export const upgradeFaultOf = (order: Order, index: number): MockUpgradeFault => {
  let place = index;
  for (const kind of upgradeFaultKinds) {
    place -= struckBy(order, kind);
    if (place < 0) return kind;
  }
  return '';
};

type Part = { order: Order; figures: Figures; fault: MockUpgradeFault; leave: () => void };

/** The part of one device in upgrades. */
export const upgradeFor = ({ order, figures, fault, leave }: Part): UpgradeOptions => {
  const options = createVirtualUpgrade({ fault: () => fault, leave, installMs: order.install * 1_000 });
  return {
    ...options,
    accept: (told) => {
      figures.upgrades.told++;
      return options.accept?.(told);
    },
  };
};

const reasons = { 3: 'download', 4: 'verification', 5: 'install' } as const;

/** In which phase how many are: each counts in its last one. */
export const countUpgrades = ({ upgrades }: Figures, on: Device['on'], { deviceId }: DeviceClient): void => {
  on('upgrade', ({ phase, reason }) => {
    const before = upgrades.phaseOf.get(deviceId);
    upgrades.phaseOf.set(deviceId, phase);
    if (phase === 'failed' && before !== 'failed' && reason) count(upgrades.failures, reasons[reason]);
  });
};
