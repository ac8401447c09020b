import type { StreamEvents } from '@device-center/contract';
import { useEffect, useRef, useState } from 'react';
import type { LiveEvent } from '../../api/live.ts';

export const FEED_SHOWN = 50;
/** Number of events from before the page was opened. */
export const FEED_FIRST = 20;
/** Batches events: when a fleet reconnects, thousands arrive, and the list renders once per interval. */
const BATCH_MS = 250;

type FeedEvent =
  | { kind: 'presence'; data: StreamEvents['presence'] }
  | { kind: 'event'; data: StreamEvents['event'] }
  /** The hub had more events than it could send. */
  | { kind: 'gap' };
export type FeedItem = FeedEvent & { number: number };

/** Newest first. The initial events arrive grouped by kind, so they are sorted by time; a gap keeps its position. */
const newestFirst = (items: FeedItem[]): FeedItem[] => {
  const times = new Map(items.flatMap((item) => (item.kind === 'gap' ? [] : [[item.number, item.data.time]])));
  const timeOf = ({ number }: FeedItem): string => (times.size === items.length ? (times.get(number) ?? '') : '');
  return items.sort((a, b) => timeOf(b).localeCompare(timeOf(a)) || b.number - a.number);
};

const isFeedEvent = (event: LiveEvent): event is FeedEvent =>
  event.kind !== 'count' && /^(presence|event|gap)$/.test(event.kind);

/** The items of the feed, newest first. */
export const useFeed = () => {
  const [items, setItems] = useState<readonly FeedItem[]>([]);
  const pending = useRef<FeedItem[]>([]);
  const lastNumber = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = () => {
    timer.current = undefined;
    const newItems = newestFirst(pending.current);
    pending.current = [];
    setItems((shown) => [...newItems, ...shown].slice(0, FEED_SHOWN));
  };
  const addEvent = (event: LiveEvent): void => {
    if (!isFeedEvent(event)) return;
    pending.current.push({ ...event, number: ++lastNumber.current });
    timer.current ??= setTimeout(show, BATCH_MS);
  };
  return { items, addEvent };
};
