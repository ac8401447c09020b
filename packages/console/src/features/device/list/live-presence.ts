import { ConnectStatus, type DeviceRow, deviceCalls, type Output, type StreamEvents } from '@device-center/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { type LiveState, useLive } from '../../../api/live.ts';
import { keyOf } from '../../../api/use-call.ts';

type Presence = StreamEvents['presence'];

/** A fleet that comes back at once flips thousands of devices: the page is drawn once for each of these. */
const GATHER_MS = 250;
const FLASH_MS = 1_500;

/** Devices whose status has just flipped, to be shown once. */
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

/** As the hub will answer it, but for what else may keep the device away: that is asked for with the next page. */
const reasonOf = ({ online, time, reason }: Presence): DeviceRow['offlineReason'] =>
  online === 1 ? null : { kind: 'disconnected', time, cause: reason, detail: '' };

/** Writes what happened into the rows on the screen, without asking the hub for them again. */
const applyPresence = (client: QueryClient, news: ReadonlyMap<string, Presence>): void => {
  const flipped: string[] = [];
  const after = (row: DeviceRow): DeviceRow => {
    const event = news.get(row.deviceId);
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

/** Keeps the rows of the list true while devices come and go. While the stream is away they are asked for anew. */
export const useLivePresence = (): LiveState => {
  const client = useQueryClient();
  const gathered = useRef(new Map<string, Presence>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetch = () => client.invalidateQueries({ queryKey: [folder] });
  const tell = () => {
    timer.current = undefined;
    const news = gathered.current;
    gathered.current = new Map();
    applyPresence(client, news);
  };
  return useLive({
    kinds: ['presence'],
    refetch,
    onEvent: (event) => {
      if (event.kind === 'gap') return void refetch();
      // Whoever was refused neither came nor went.
      if (event.kind !== 'presence' || event.data.status === ConnectStatus.refused) return;
      gathered.current.set(event.data.deviceId, event.data);
      timer.current ??= setTimeout(tell, GATHER_MS);
    },
  });
};
