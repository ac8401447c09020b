import { type FleetCounts, homeCalls } from '@device-center/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type LiveEvent, type LiveState, useLive } from '../../api/live.ts';
import { keyOf } from '../../api/use-call.ts';
import type { Asked } from './asked.ts';
import { FEED_FIRST, type FeedItem, useFeed } from './feed.ts';

const KINDS = ['presence', 'event', 'count'] as const;
/** However many come and go, what follows from it is asked once for each of these. */
const GATHER_MS = 1_000;
/** The hub's clock may be a little behind. */
const AFTER_MIDNIGHT_S = 2;

const [folder] = keyOf(homeCalls.getSystemDeviceCurrentCount);
const pathsOfPresence = [keyOf(homeCalls.getDeviceDistribution), keyOf(homeCalls.getAttentionList)].map(
  ([, path]) => path,
);

/** What is counted since the day began only falls when another day begins. */
export const isNextDay = ({ today: before }: FleetCounts, { today: now }: FleetCounts): boolean =>
  now.messageCount < before.messageCount || now.accessCount < before.accessCount;

/** Answers whether these are the first counts of another day. */
const takeCounts = async (client: QueryClient, asked: Asked, counts: FleetCounts): Promise<boolean> => {
  const queryKey = keyOf(homeCalls.getSystemDeviceCurrentCount, asked);
  // An answer that is still on its way is older than these.
  await client.cancelQueries({ queryKey });
  const before = client.getQueryData<FleetCounts>(queryKey);
  client.setQueryData<FleetCounts>(queryKey, counts);
  return before !== undefined && isNextDay(before, counts);
};

const untilTomorrow = (now = new Date()): number =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 0, 0, AFTER_MIDNIGHT_S).getTime() - now.getTime();

/** Days are of the operator's clock: at midnight the charts get another one. */
const useEachDay = (begin: () => void): void => {
  const latest = useRef(begin);
  useEffect(() => {
    latest.current = begin;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => {
        latest.current();
        wait();
      }, untilTomorrow());
    };
    wait();
    return () => clearTimeout(timer);
  }, []);
};

/** Asks again when the line is back: what the charts missed is not in the stream. */
const useEachReturn = ({ kind }: LiveState, back: () => void): void => {
  const wasLive = useRef(false);
  const latest = useRef(back);
  useEffect(() => {
    latest.current = back;
  });
  useEffect(() => {
    if (kind !== 'live') return;
    if (wasLive.current) latest.current();
    wasLive.current = true;
  }, [kind]);
};

type HomeLive = { state: LiveState; items: readonly FeedItem[] };

/** One stream for the whole page: it moves the figures, tells what happens, and says when to ask anew. */
export const useHomeLive = (asked: Asked): HomeLive => {
  const client = useQueryClient();
  const { items, tell } = useFeed();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const refetch = () => void client.invalidateQueries({ queryKey: [folder] });
  const afterPresence = () => {
    timer.current = undefined;
    for (const path of pathsOfPresence) void client.invalidateQueries({ queryKey: [folder, path] });
  };
  const onEvent = (event: LiveEvent): void => {
    tell(event);
    if (event.kind === 'count') return void takeCounts(client, asked, event.data).then((next) => next && refetch());
    if (event.kind === 'presence') timer.current ??= setTimeout(afterPresence, GATHER_MS);
    if (event.kind === 'gap') refetch();
  };
  const state = useLive({ ...asked, kinds: KINDS, latest: FEED_FIRST, onEvent, refetch });
  useEachDay(refetch);
  useEachReturn(state, refetch);
  return { state, items };
};
