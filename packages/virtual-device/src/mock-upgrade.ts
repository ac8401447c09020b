import type { MockProfile, MockUpgradeFault, UpgradeOrder } from '@device-center/contract';
import type { Child, UpgradeOptions, UpgradeState } from '@device-center/device-sdk';
import { linkBeside } from './bucket-via-hub.ts';
import { createVirtualUpgrade } from './upgrade.ts';

/** What is known of the upgrades of a mock device, or of one of its children. */
export type MockUpgrade = Readonly<{
  fault: MockUpgradeFault;
  versionNumber: string;
  /** The last that it was told, also where it did not go to work. */
  order: UpgradeOrder | null;
  /** How far it is with that; nothing where it did not go to work. */
  state: UpgradeState | null;
}>;

/** Of one that has never said what it runs. */
const FIRST_VERSION = '1.0.0';

type MockUpgradeOptions = {
  info: MockProfile;
  hubUrl: string;
  installMs?: number;
  leave: () => void;
  onChange: () => void;
};

/** The part of one body in upgrades. Outlives its connections, and each mounting. */
export const createMockUpgrade = ({ info, hubUrl, installMs, leave, onChange }: MockUpgradeOptions) => {
  const versionNumber = info.versionNumber || FIRST_VERSION;
  let known: MockUpgrade = { fault: info.upgradeFault, versionNumber, order: null, state: null };
  const change = (next: Partial<MockUpgrade>): void => {
    known = { ...known, ...next };
    onChange();
  };
  const virtual = createVirtualUpgrade({
    fault: () => known.fault,
    leave,
    installMs,
    downloadFrom: linkBeside(hubUrl),
  });
  const options: UpgradeOptions = {
    ...virtual,
    accept: (order) => {
      change({ order, state: null });
      return virtual.accept?.(order);
    },
  };
  return {
    options,
    get known(): MockUpgrade {
      return known;
    },
    setFault: (fault: MockUpgradeFault): void => change({ fault }),
    follow: (speaker: Child): void =>
      void speaker.on('upgrade', (state) =>
        change({ state, versionNumber: speaker.versionNumber ?? known.versionNumber }),
      ),
  };
};
