import type { MockUpgradeFault } from '@device-center/contract';
import {
  after,
  createStreamingStorage,
  DeviceError,
  type FirmwareStorage,
  type UpgradeOptions,
} from '@device-center/device-sdk';

/** How long an installation takes that installs nothing. */
const INSTALL_MS = 1_000;
/** How long a download takes that is slow on demand. */
const SLOW_MS = 20_000;
/** Its answer leaves first. */
const LEAVE_AFTER_MS = 200;

export type VirtualUpgrade = {
  /** Asked at each step: it may be changed in the middle. */
  fault: () => MockUpgradeFault;
  /** Goes away, and does not come back by itself. */
  leave: () => void;
  installMs?: number;
  slowMs?: number;
  downloadFrom?: UpgradeOptions['downloadFrom'];
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve));

const withBitTurned = (bytes: Uint8Array): Uint8Array => {
  const turned = bytes.slice();
  turned[0] = (turned[0] ?? 0) ^ 1;
  return turned;
};

/** Verifies for real what it was given, and keeps none of it: nobody would run it. */
const createFaultyStorage = (fault: () => MockUpgradeFault, slowMs: number): FirmwareStorage => {
  const storage = createStreamingStorage();
  let [have, size] = [0, 0];
  return {
    ...storage,
    open: async (order) => {
      const kept = await storage.open(order);
      [have, size] = [kept.size, order.size];
      return kept;
    },
    begin: (tag) => {
      have = 0;
      return storage.begin(tag);
    },
    append: async (bytes) => {
      const fails = fault();
      if (fails === 'download' && have + bytes.length > size / 2) throw new Error('the download fails on demand');
      if (fails === 'slow') await wait((slowMs * bytes.length) / size);
      await storage.append(fails === 'verification' && have === 0 ? withBitTurned(bytes) : bytes);
      have += bytes.length;
    },
  };
};

/** Downloads and verifies for real, installs nothing for a while; goes wrong at the step that is asked for. */
export const createVirtualUpgrade = ({
  fault,
  leave,
  installMs = INSTALL_MS,
  slowMs = SLOW_MS,
  downloadFrom,
}: VirtualUpgrade): UpgradeOptions => ({
  storage: createFaultyStorage(fault, slowMs),
  downloadFrom,
  accept: () => {
    const fails = fault();
    if (fails === 'refuse') throw new DeviceError('REFUSED', 'refused on demand');
    if (fails === 'busy') throw new DeviceError('BUSY', 'busy on demand');
    if (fails === 'offline') after(LEAVE_AFTER_MS, leave);
    return fails !== 'silent' && fails !== 'offline';
  },
  install: async () => {
    await wait(installMs);
    if (fault() === 'install') throw new Error('the installation fails on demand');
    return undefined;
  },
});
