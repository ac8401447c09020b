import { ConnectStatus, type MockRow, mockCalls, type Output, type StreamEvents } from '@device-center/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type LiveState, useLive } from '../../../api/live.ts';
import { keyOf } from '../../../api/use-call.ts';

type Presence = StreamEvents['presence'];

/** Collects presence events for this time, because a gateway connects together with its children. */
const GATHER_MS = 250;

const [folder, listPath] = keyOf(mockCalls.queryMockDeviceList);
const rows = { queryKey: [folder, listPath] };

/** Updates the cached rows. Returns whether the hub may have started or stopped running one of the devices. */
const applyPresence = (client: QueryClient, news: ReadonlyMap<string, Presence>): boolean => {
  let anotherBody = false;
  const after = (row: MockRow): MockRow => {
    const event = news.get(row.deviceId);
    if (!event) return row;
    anotherBody ||= row.runInHub === 1;
    return event.online === row.online ? row : { ...row, online: event.online, presenceTime: event.time };
  };
  client.setQueriesData<Output<typeof mockCalls.queryMockDeviceList>>(rows, (page) =>
    page ? { ...page, list: page.list.map(after) } : page,
  );
  return anotherBody;
};

/** Updates the list with live presence events. While the stream is disconnected, the list is refetched. */
export const useLiveMocks = (): LiveState => {
  const client = useQueryClient();
  const gathered = useRef(new Map<string, Presence>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetch = () => client.invalidateQueries(rows);
  const tell = () => {
    timer.current = undefined;
    const news = gathered.current;
    gathered.current = new Map();
    // The event does not say whether a page or the hub runs the device.
    if (applyPresence(client, news)) void refetch();
  };
  return useLive({
    kinds: ['presence'],
    refetch,
    onEvent: (event) => {
      if (event.kind === 'gap') return void refetch();
      // A rejected login does not change the presence.
      if (event.kind !== 'presence' || event.data.status === ConnectStatus.refused) return;
      gathered.current.set(event.data.deviceId, event.data);
      timer.current ??= setTimeout(tell, GATHER_MS);
    },
  });
};
