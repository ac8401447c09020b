import type { LogRow, StreamEvents } from '@device-center/contract';
import { useEffect, useRef, useState } from 'react';
import { announceFailure } from '../../../api/feedback.ts';
import { type LiveEvent, type LiveState, useLive } from '../../../api/live.ts';
import { readLatest, readSince } from './earlier-lines.ts';
import { append, cleared, emptyBuffer, type LogBuffer, markGap, prepend } from './log-buffer.ts';

type Take = (rows: readonly LogRow[], whole?: boolean) => void;

/** Lines are gathered and shown at most once a frame: a thousand of them cost no more than one. */
const useBatches = (take: Take) => {
  const waiting = useRef<LogRow[]>([]);
  const frame = useRef(0);
  const held = useRef(false);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const later = () => {
    if (frame.current !== 0 || held.current) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      if (held.current || waiting.current.length === 0) return;
      const rows = waiting.current;
      waiting.current = [];
      take(rows);
    });
  };
  return {
    gather: (row: LogRow) => {
      waiting.current.push(row);
      later();
    },
    hold: () => {
      held.current = true;
    },
    release: () => {
      held.current = false;
      later();
    },
  };
};

/** When more came at once than the hub pushes, the lines between are read from where they are kept. */
const useFilling = (deviceId: string, lastId: () => string | undefined, take: Take) => {
  const running = useRef<Promise<void>>(undefined);
  const again = useRef(false);
  const fill = async (): Promise<void> => {
    try {
      do {
        again.current = false;
        const { rows, whole } = await readSince(deviceId, lastId());
        take(rows, whole);
      } while (again.current);
    } catch (error) {
      announceFailure(error);
      take([], false);
    } finally {
      running.current = undefined;
    }
  };
  /** Done when all gaps until now are filled. */
  return (): Promise<void> => {
    again.current = true;
    running.current ??= fill();
    return running.current;
  };
};

/** From when the stream was away until it is back. */
const useInterruption = (kind: LiveState['kind'], onBack: (from: string, to: string) => void): void => {
  const lostAt = useRef('');
  const latest = useRef(onBack);
  useEffect(() => {
    latest.current = onBack;
  });
  useEffect(() => {
    const now = new Date().toISOString();
    if (kind === 'reconnecting' || kind === 'paused') lostAt.current ||= now;
    if (kind !== 'live' || lostAt.current === '') return;
    const from = lostAt.current;
    lostAt.current = '';
    latest.current(from, now);
  }, [kind]);
};

type LogStreamOptions = { deviceId: string; onPresence: (presence: StreamEvents['presence']) => void };

/** The log of one device as it comes, after the last lines that came before. */
export const useLogStream = ({ deviceId, onPresence }: LogStreamOptions) => {
  const [buffer, setBuffer] = useState<LogBuffer>(emptyBuffer);
  const [lastAt, setLastAt] = useState<number>();
  const lastId = useRef<string>(undefined);
  const take: Take = (rows, whole = true) => {
    const now = new Date().toISOString();
    lastId.current = rows[rows.length - 1]?.id ?? lastId.current;
    setBuffer((known) => append(whole ? known : markGap(known, { from: now, to: now, dropped: true }), rows));
    if (rows.length > 0) setLastAt(Date.now());
  };
  const { gather, hold, release } = useBatches(take);
  const fill = useFilling(deviceId, () => lastId.current, take);
  const onEvent = (event: LiveEvent) => {
    if (event.kind === 'log') gather(event.data);
    else if (event.kind === 'presence') onPresence(event.data);
    else if (event.kind === 'gap') {
      // What comes after the gap waits until what was before it is there.
      hold();
      void fill().then(release);
    }
  };
  const poll = () => readSince(deviceId, lastId.current).then(({ rows }) => take(rows), announceFailure);
  const state = useLive({ deviceId, kinds: ['presence', 'log'], onEvent, refetch: poll });
  useInterruption(state.kind, (from, to) => setBuffer((known) => markGap(known, { from, to, dropped: false })));

  useEffect(() => {
    let gone = false;
    const show = (rows: LogRow[]) => {
      if (gone) return;
      lastId.current ??= rows[rows.length - 1]?.id;
      setBuffer((known) => prepend(known, rows));
    };
    void readLatest(deviceId).then(show, () => undefined);
    return () => {
      gone = true;
    };
  }, [deviceId]);

  return { buffer, state, lastAt, clear: () => setBuffer(cleared) };
};
