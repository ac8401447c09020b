import type { StreamEvents } from '@device-center/contract';
import { useEffect, useRef, useState } from 'react';
import type { LiveEvent } from '../../api/live.ts';

export const FEED_SHOWN = 50;
/** What happened before the page was opened. */
export const FEED_FIRST = 20;
/** A fleet that comes back at once tells of thousands: the list is drawn once for each of these. */
const GATHER_MS = 250;

type Told =
  | { kind: 'presence'; data: StreamEvents['presence'] }
  | { kind: 'event'; data: StreamEvents['event'] }
  /** There was more than the hub could send. */
  | { kind: 'gap' };
export type FeedItem = Told & { number: number };

/** The newest first. At the start the hub sends each kind by itself; a gap stays where it was. */
const newestFirst = (items: FeedItem[]): FeedItem[] => {
  const times = new Map(items.flatMap((item) => (item.kind === 'gap' ? [] : [[item.number, item.data.time]])));
  const timeOf = ({ number }: FeedItem): string => (times.size === items.length ? (times.get(number) ?? '') : '');
  return items.sort((a, b) => timeOf(b).localeCompare(timeOf(a)) || b.number - a.number);
};

const isTold = (event: LiveEvent): event is Told => event.kind !== 'count' && /^(presence|event|gap)$/.test(event.kind);

/** What has happened, the newest first. */
export const useFeed = () => {
  const [items, setItems] = useState<readonly FeedItem[]>([]);
  const gathered = useRef<FeedItem[]>([]);
  const numbers = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = () => {
    timer.current = undefined;
    const news = newestFirst(gathered.current);
    gathered.current = [];
    setItems((shown) => [...news, ...shown].slice(0, FEED_SHOWN));
  };
  const tell = (event: LiveEvent): void => {
    if (!isTold(event)) return;
    gathered.current.push({ ...event, number: ++numbers.current });
    timer.current ??= setTimeout(show, GATHER_MS);
  };
  return { items, tell };
};
