import { type LatestValue, recordCalls } from '@device-center/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useCall } from '../../../api/use-call.ts';
import { useLiveEvents } from './device-live.tsx';

export type LatestValues = ReadonlyMap<string, LatestValue>;

/** The latest value of each property: fetched once, then updated by the stream, at most once a frame. */
export const useLatestValues = (deviceId: string) => {
  const query = useCall(recordCalls.getLatestValues, { deviceId });
  const [live, setLive] = useState<LatestValues>(new Map());
  const pending = useRef(new Map<string, LatestValue>());
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  useLiveEvents((event) => {
    if (event.kind !== 'value') return;
    pending.current.set(event.data.signCode, event.data);
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      const batch = pending.current;
      pending.current = new Map();
      setLive((known) => new Map([...known, ...batch]));
    });
  });
  const { data } = query;
  const values = useMemo(() => {
    if (!data) return undefined;
    const latest = new Map(data.map((entry) => [entry.signCode, entry]));
    for (const [signCode, value] of live) {
      const known = latest.get(signCode);
      if (!known || known.time <= value.time) latest.set(signCode, value);
    }
    return latest;
  }, [data, live]);
  return { data: values, error: query.error, refetch: query.refetch };
};
