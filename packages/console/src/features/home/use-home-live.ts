import { type FleetCounts, homeCalls } from '@device-center/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type LiveEvent, type LiveState, useLive } from '../../api/live.ts';
import { keyOf } from '../../api/use-call.ts';
import { FEED_FIRST, type FeedItem, useFeed } from './feed.ts';
import type { FleetFilter } from './fleet-filter.ts';

const KINDS = ['presence', 'event', 'count'] as const;
/** Batches presence events: the calls that depend on them are refetched once per interval. */
const BATCH_MS = 1_000;
/** A margin, because the hub's clock may be behind. */
const AFTER_MIDNIGHT_S = 2;

const [folder] = keyOf(homeCalls.getSystemDeviceCurrentCount);
const pathsOfPresence = [keyOf(homeCalls.getDeviceDistribution), keyOf(homeCalls.getAttentionList)].map(
  ([, path]) => path,
);

/** Today's counts only decrease when a new day begins. */
export const isNextDay = ({ today: before }: FleetCounts, { today: now }: FleetCounts): boolean =>
  now.messageCount < before.messageCount || now.accessCount < before.accessCount;

/** Stores streamed counts. Returns whether they are the first of a new day. */
const storeCounts = async (client: QueryClient, fleetFilter: FleetFilter, counts: FleetCounts): Promise<boolean> => {
  const queryKey = keyOf(homeCalls.getSystemDeviceCurrentCount, fleetFilter);
  // A pending response is older than these counts.
  await client.cancelQueries({ queryKey });
  const before = client.getQueryData<FleetCounts>(queryKey);
  client.setQueryData<FleetCounts>(queryKey, counts);
  return before !== undefined && isNextDay(before, counts);
};

const msUntilTomorrow = (now = new Date()): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 0, 0, AFTER_MIDNIGHT_S).getTime() - now.getTime();

/** Calls back at midnight in the browser's time zone, when the charts get a new day. */
const useNewDay = (onNewDay: () => void): void => {
  const latest = useRef(onNewDay);
  useEffect(() => {
    latest.current = onNewDay;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => {
        latest.current();
        wait();
      }, msUntilTomorrow());
    };
    wait();
    return () => clearTimeout(timer);
  }, []);
};

/** Refetches after a reconnect: the stream does not repeat what the charts missed. */
const useReconnect = ({ kind }: LiveState, onReconnect: () => void): void => {
  const wasLive = useRef(false);
  const latest = useRef(onReconnect);
  useEffect(() => {
    latest.current = onReconnect;
  });
  useEffect(() => {
    if (kind !== 'live') return;
    if (wasLive.current) latest.current();
    wasLive.current = true;
  }, [kind]);
};

type HomeLive = { state: LiveState; items: readonly FeedItem[] };

/** One stream for the whole page: it updates the figures, feeds the event list and triggers refetches. */
export const useHomeLive = (fleetFilter: FleetFilter): HomeLive => {
  const client = useQueryClient();
  const { items, addEvent } = useFeed();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetch = () => void client.invalidateQueries({ queryKey: [folder] });
  const afterPresence = () => {
    timer.current = undefined;
    for (const path of pathsOfPresence) void client.invalidateQueries({ queryKey: [folder, path] });
  };
  const onEvent = (event: LiveEvent): void => {
    addEvent(event);
    if (event.kind === 'count')
      return void storeCounts(client, fleetFilter, event.data).then((next) => next && refetch());
    if (event.kind === 'presence') timer.current ??= setTimeout(afterPresence, BATCH_MS);
    if (event.kind === 'gap') refetch();
  };
  const state = useLive({ ...fleetFilter, kinds: KINDS, latest: FEED_FIRST, onEvent, refetch });
  useNewDay(refetch);
  useReconnect(state, refetch);
  return { state, items };
};
