import { ConnectStatus, type MockRow, mockCalls, type Output, type StreamEvents } from '@device-center/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type LiveState, useLive } from '../../../api/live.ts';
import { keyOf } from '../../../api/use-call.ts';

type Presence = StreamEvents['presence'];

/** Collects presence events for this time, because a gateway connects together with its children. */
const COLLECT_MS = 250;

const [folder, listPath] = keyOf(mockCalls.queryMockDeviceList);
const rows = { queryKey: [folder, listPath] };

/** Updates the cached rows. Returns whether the hub may have started or stopped running one of the devices. */
const applyPresence = (client: QueryClient, events: ReadonlyMap<string, Presence>): boolean => {
  let runnerChanged = false;
  const updateRow = (row: MockRow): MockRow => {
    const event = events.get(row.deviceId);
    if (!event) return row;
    runnerChanged ||= row.runInHub === 1;
    return event.online === row.online ? row : { ...row, online: event.online, presenceTime: event.time };
  };
  client.setQueriesData<Output<typeof mockCalls.queryMockDeviceList>>(rows, (page) =>
    page ? { ...page, list: page.list.map(updateRow) } : page,
  );
  return runnerChanged;
};

/** Updates the list with live presence events. While the stream is disconnected, the list is refetched. */
export const useLiveMocks = (): LiveState => {
  const client = useQueryClient();
  const pendingEvents = useRef(new Map<string, Presence>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetch = () => client.invalidateQueries(rows);
  const flush = () => {
    timer.current = undefined;
    const events = pendingEvents.current;
    pendingEvents.current = new Map();
    // The event does not say whether a page or the hub runs the device.
    if (applyPresence(client, events)) void refetch();
  };
  return useLive({
    kinds: ['presence'],
    refetch,
    onEvent: (event) => {
      if (event.kind === 'gap') return void refetch();
      // A rejected login does not change the presence.
      if (event.kind !== 'presence' || event.data.status === ConnectStatus.refused) return;
      pendingEvents.current.set(event.data.deviceId, event.data);
      timer.current ??= setTimeout(flush, COLLECT_MS);
    },
  });
};
