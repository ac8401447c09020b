import type { Mock, MockUpgrade } from '@device-center/virtual-device';
import { useCallback, useSyncExternalStore } from 'react';

/** Upgrade state of one device of the mock. */
export const useUpgrade = (mock: Mock, deviceId: string): MockUpgrade =>
  useSyncExternalStore(
    useCallback((listener) => mock.on('upgrade', listener), [mock]),
    () => mock.upgradeOf(deviceId),
  );

/** Number of devices of the mock with an upgrade fault. */
export const useUpgradeFaults = (mock: Mock): number =>
  useSyncExternalStore(
    useCallback((listener) => mock.on('upgrade', listener), [mock]),
    () => mock.deviceIds.filter((deviceId) => mock.upgradeOf(deviceId).fault !== '').length,
  );
