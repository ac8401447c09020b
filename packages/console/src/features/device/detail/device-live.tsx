import type { StreamKind } from '@device-center/contract';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { type LiveEvent, type LiveState, useLive } from '../../../api/live.ts';

type Listener = (event: LiveEvent) => void;
type DeviceLive = { state: LiveState; subscribe: (listener: Listener) => () => void };

const DeviceLiveContext = createContext<DeviceLive>({ state: { kind: 'paused' }, subscribe: () => () => undefined });

type DeviceLiveProviderProps = {
  deviceId: string;
  kinds: readonly StreamKind[];
  refetch: () => unknown;
  children: ReactNode;
};

/** One stream for the whole page. Subscribers receive its events, so that the page itself need not rerender. */
export const DeviceLiveProvider = ({ deviceId, kinds, refetch, children }: DeviceLiveProviderProps) => {
  const listeners = useRef(new Set<Listener>());
  const state = useLive({
    deviceId,
    kinds,
    refetch,
    onEvent: (event) => {
      for (const listener of listeners.current) listener(event);
    },
  });
  const live = useMemo<DeviceLive>(
    () => ({
      state,
      subscribe: (listener) => {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [state],
  );
  return <DeviceLiveContext value={live}>{children}</DeviceLiveContext>;
};

export const useLiveState = (): LiveState => useContext(DeviceLiveContext).state;

export const useLiveEvents = (onEvent: Listener): void => {
  const { subscribe } = useContext(DeviceLiveContext);
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => subscribe((event) => latest.current(event)), [subscribe]);
};
