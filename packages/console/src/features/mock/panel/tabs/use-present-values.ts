import { MessageType } from '@device-center/contract';
import type { Mock } from '@device-center/virtual-device';
import { useCallback, useEffect, useState } from 'react';
import { usePanel } from '../panel-context.ts';

type Values = Readonly<Record<string, unknown>>;

const read = (mock: Mock, deviceId: string, signCodes: readonly string[]): Values =>
  mock.behaviorOf(deviceId).read([...signCodes]);

/** Current property values of a device, updated by messages of their type or by `refresh`. */
export const usePresentValues = (deviceId: string, signCodes: readonly string[]) => {
  const { mock } = usePanel();
  const key = signCodes.join('\n');
  const [state, setState] = useState(() => ({ deviceId, values: read(mock, deviceId, signCodes) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array is new at each render; `key` has its contents.
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
