import { ConnectStatus, type DeviceRow, deviceCalls, type Output, type StreamEvents } from '@device-center/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { type LiveState, useLive } from '../../../api/live.ts';
import { keyOf } from '../../../api/use-call.ts';

type Presence = StreamEvents['presence'];

/** Batches events: when a fleet reconnects, thousands arrive, and the list renders once per interval. */
const BATCH_MS = 250;
const FLASH_MS = 1_500;

/** Devices whose presence has just changed, which flash once. */
const useFlips = create<{ flipped: ReadonlySet<string> }>(() => ({ flipped: new Set() }));

export const useFlipped = (deviceId: string): boolean => useFlips((state) => state.flipped.has(deviceId));

const flash = (deviceIds: readonly string[]): void => {
  useFlips.setState(({ flipped }) => ({ flipped: new Set([...flipped, ...deviceIds]) }));
  setTimeout(
    () =>
      useFlips.setState(({ flipped }) => ({ flipped: new Set([...flipped].filter((id) => !deviceIds.includes(id))) })),
    FLASH_MS,
  );
};

const [folder, listPath] = keyOf(deviceCalls.queryDeviceList);
const [, countPath] = keyOf(deviceCalls.countDevices);

/** The reason that the hub will report, except for restrictions: those are fetched with the next page. */
const reasonOf = ({ online, time, reason }: Presence): DeviceRow['offlineReason'] =>
  online === 1 ? null : { kind: 'disconnected', time, cause: reason, detail: '' };

/** Updates the cached rows without fetching them again. */
const applyPresence = (client: QueryClient, events: ReadonlyMap<string, Presence>): void => {
  const flipped: string[] = [];
  const after = (row: DeviceRow): DeviceRow => {
    const event = events.get(row.deviceId);
    if (!event || event.online === row.online) return row;
    flipped.push(row.deviceId);
    return { ...row, online: event.online, presenceTime: event.time, offlineReason: reasonOf(event) };
  };
  client.setQueriesData<Output<typeof deviceCalls.queryDeviceList>>({ queryKey: [folder, listPath] }, (page) =>
    page ? { ...page, list: page.list.map(after) } : page,
  );
  if (flipped.length > 0) flash(flipped);
  void client.invalidateQueries({ queryKey: [folder, countPath] });
};

/** Updates the rows when presence changes. While the stream is disconnected, the rows are polled. */
export const useLivePresence = (): LiveState => {
  const client = useQueryClient();
  const pending = useRef(new Map<string, Presence>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetch = () => client.invalidateQueries({ queryKey: [folder] });
  const applyPending = () => {
    timer.current = undefined;
    const events = pending.current;
    pending.current = new Map();
    applyPresence(client, events);
  };
  return useLive({
    kinds: ['presence'],
    refetch,
    onEvent: (event) => {
      if (event.kind === 'gap') return void refetch();
      // A rejected connection does not change the presence.
      if (event.kind !== 'presence' || event.data.status === ConnectStatus.refused) return;
      pending.current.set(event.data.deviceId, event.data);
      timer.current ??= setTimeout(applyPending, BATCH_MS);
    },
  });
};
