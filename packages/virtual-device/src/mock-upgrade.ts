import type { MockProfile, MockUpgradeFault, UpgradeOrder } from '@device-center/contract';
import type { Child, UpgradeOptions, UpgradeState } from '@device-center/device-sdk';
import { downloadViaHub } from './bucket-via-hub.ts';
import { createVirtualUpgrade } from './upgrade.ts';

/** Upgrade state of a mock device, or of one of its children. */
export type MockUpgrade = Readonly<{
  fault: MockUpgradeFault;
  versionNumber: string;
  /** The last upgrade order, even if the device did not start the upgrade. */
  order: UpgradeOrder | null;
  /** State of that upgrade; null if the device did not start it. */
  state: UpgradeState | null;
}>;

/** Version of a mock device that has not reported one. */
const DEFAULT_VERSION = '1.0.0';

type MockUpgradeOptions = {
  info: MockProfile;
  hubUrl: string;
  installMs?: number;
  goOffline: () => void;
  onChange: () => void;
};

/** Upgrades of one mock device. Outlives its connections and, for a child, its logins. */
export const createMockUpgrade = ({ info, hubUrl, installMs, goOffline, onChange }: MockUpgradeOptions) => {
  const versionNumber = info.versionNumber || DEFAULT_VERSION;
  let current: MockUpgrade = { fault: info.upgradeFault, versionNumber, order: null, state: null };
  const update = (next: Partial<MockUpgrade>): void => {
    current = { ...current, ...next };
    onChange();
  };
  const virtual = createVirtualUpgrade({
    fault: () => current.fault,
    goOffline,
    installMs,
    downloadFrom: downloadViaHub(hubUrl),
  });
  const options: UpgradeOptions = {
    ...virtual,
    accept: (order) => {
      update({ order, state: null });
      return virtual.accept?.(order);
    },
  };
  return {
    options,
    get current(): MockUpgrade {
      return current;
    },
    setFault: (fault: MockUpgradeFault): void => update({ fault }),
    follow: (client: Child): void =>
      void client.on('upgrade', (state) =>
        update({ state, versionNumber: client.versionNumber ?? current.versionNumber }),
      ),
  };
};
