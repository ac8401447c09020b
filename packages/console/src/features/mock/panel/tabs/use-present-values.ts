import { MessageType } from '@device-center/contract';
import type { Mock } from '@device-center/virtual-device';
import { useCallback, useEffect, useState } from 'react';
import { usePanel } from '../panel-context.ts';

type Values = Readonly<Record<string, unknown>>;

const read = (mock: Mock, deviceId: string, signCodes: readonly string[]): Values =>
  mock.bodyOf(deviceId).read([...signCodes]);

/** A device's properties as they now are: whatever changes them is a message of their type, or ends with `refresh`. */
export const usePresentValues = (deviceId: string, signCodes: readonly string[]) => {
  const { mock } = usePanel();
  const key = signCodes.join('\n');
  const [state, setState] = useState(() => ({ deviceId, values: read(mock, deviceId, signCodes) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is made anew each time; its contents are the key.
  const refresh = useCallback(
    () => setState({ deviceId, values: read(mock, deviceId, signCodes) }),
    [mock, deviceId, key],
  );
  useEffect(() => {
    refresh();
    return mock.device.on('message', ({ envelope }) => {
      if (envelope.type === MessageType.config && envelope.deviceId === deviceId) refresh();
    });
  }, [mock, deviceId, refresh]);
  return { values: state.deviceId === deviceId ? state.values : read(mock, deviceId, signCodes), refresh };
};
