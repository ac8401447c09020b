import { ConnectStatus, type MockRow, mockCalls, type Output, type StreamEvents } from '@device-center/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type LiveState, useLive } from '../../../api/live.ts';
import { keyOf } from '../../../api/use-call.ts';

type Presence = StreamEvents['presence'];

/** A gateway comes with its children, and other fleets pass by too: the page is drawn once for each of these. */
const GATHER_MS = 250;

const [folder, listPath] = keyOf(mockCalls.queryMockDeviceList);
const rows = { queryKey: [folder, listPath] };

/** Writes what happened into the rows on the screen. Answers whether one of them may have changed its body. */
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

/** Keeps the list true while mock devices come and go. While the stream is away it is asked for anew. */
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
    // The event does not say who speaks for it now, a page or the hub.
    if (applyPresence(client, news)) void refetch();
  };
  return useLive({
    kinds: ['presence'],
    refetch,
    onEvent: (event) => {
      if (event.kind === 'gap') return void refetch();
      // After a refused log-in nobody came or went.
      if (event.kind !== 'presence' || event.data.status === ConnectStatus.refused) return;
      gathered.current.set(event.data.deviceId, event.data);
      timer.current ??= setTimeout(tell, GATHER_MS);
    },
  });
};
