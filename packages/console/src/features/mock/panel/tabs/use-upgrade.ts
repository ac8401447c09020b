import type { Mock, MockUpgrade } from '@device-center/virtual-device';
import { useCallback, useSyncExternalStore } from 'react';

/** The upgrades of one of its devices, as they now stand. */
export const useUpgrade = (mock: Mock, deviceId: string): MockUpgrade =>
  useSyncExternalStore(
    useCallback((listener) => mock.on('upgrade', listener), [mock]),
    () => mock.upgradeOf(deviceId),
  );

/** How many of its devices fail on demand when they are upgraded. */
export const useUpgradeFaults = (mock: Mock): number =>
  useSyncExternalStore(
    useCallback((listener) => mock.on('upgrade', listener), [mock]),
    () => mock.deviceIds.filter((deviceId) => mock.upgradeOf(deviceId).fault !== '').length,
  );
