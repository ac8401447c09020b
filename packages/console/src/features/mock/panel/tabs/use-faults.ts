import type { Mock, MockFaults } from '@device-center/virtual-device';
import { useCallback, useSyncExternalStore } from 'react';

/** The current faults; some of them end after a number of messages. */
export const useFaults = (mock: Mock): Readonly<MockFaults> =>
  useSyncExternalStore(
    useCallback((listener) => mock.on('faults', listener), [mock]),
    () => mock.faults,
  );

export const armedCount = ({ wrongSignatures, answerDelayMs, refuseWith, silent }: Readonly<MockFaults>): number =>
  [wrongSignatures > 0, answerDelayMs > 0, refuseWith !== null, silent].filter(Boolean).length;
