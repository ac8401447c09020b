import type { MockUpgradeFault } from '@device-center/contract';
import {
  after,
  createStreamingStorage,
  DeviceError,
  type FirmwareStorage,
  type UpgradeOptions,
} from '@device-center/device-sdk';

/** Duration of the simulated installation. */
const INSTALL_MS = 1_000;
/** Duration of a download with the fault `slow`. */
const SLOW_MS = 20_000;
/** Lets the response to the order reach the hub first. */
const OFFLINE_DELAY_MS = 200;

export type VirtualUpgrade = {
  /** Read at each step: the fault may change during an upgrade. */
  fault: () => MockUpgradeFault;
  /** Takes the device offline for good. */
  goOffline: () => void;
  installMs?: number;
  slowMs?: number;
  downloadFrom?: UpgradeOptions['downloadFrom'];
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve));

const withBitFlipped = (bytes: Uint8Array): Uint8Array => {
  const flipped = bytes.slice();
  flipped[0] = (flipped[0] ?? 0) ^ 1;
  return flipped;
};

/** Storage that hashes the received bytes but does not store them, since they are never installed. */
const createFaultyStorage = (fault: () => MockUpgradeFault, slowMs: number): FirmwareStorage => {
  const storage = createStreamingStorage();
  let [received, size] = [0, 0];
  return {
    ...storage,
    open: async (order) => {
      const stored = await storage.open(order);
      [received, size] = [stored.size, order.size];
      return stored;
    },
    begin: (tag) => {
      received = 0;
      return storage.begin(tag);
    },
    append: async (bytes) => {
      const activeFault = fault();
      if (activeFault === 'download' && received + bytes.length > size / 2)
        throw new Error('simulated download failure');
      if (activeFault === 'slow') await wait((slowMs * bytes.length) / size);
      await storage.append(activeFault === 'verification' && received === 0 ? withBitFlipped(bytes) : bytes);
      received += bytes.length;
    },
  };
};

/** Upgrade options of a simulated device: really downloads and verifies, does not install, activeFault at a given step. */
export const createVirtualUpgrade = ({
  fault,
  goOffline,
  installMs = INSTALL_MS,
  slowMs = SLOW_MS,
  downloadFrom,
}: VirtualUpgrade): UpgradeOptions => ({
  storage: createFaultyStorage(fault, slowMs),
  downloadFrom,
  accept: () => {
    const activeFault = fault();
    if (activeFault === 'refuse') throw new DeviceError('REFUSED', 'simulated rejection');
    if (activeFault === 'busy') throw new DeviceError('BUSY', 'simulated busy device');
    if (activeFault === 'offline') after(OFFLINE_DELAY_MS, goOffline);
    return activeFault !== 'silent' && activeFault !== 'offline';
  },
  install: async () => {
    await wait(installMs);
    if (fault() === 'install') throw new Error('simulated installation failure');
    return undefined;
  },
});
