import type { LogRow, StreamEvents } from '@device-center/contract';
import { useEffect, useRef, useState } from 'react';
import { announceFailure } from '../../../api/feedback.ts';
import { type LiveEvent, type LiveState, useLive } from '../../../api/live.ts';
import { readLatest, readSince } from './earlier-lines.ts';
import { append, cleared, emptyBuffer, type LogBuffer, markGap, prepend } from './log-buffer.ts';

type AppendRows = (rows: readonly LogRow[], complete?: boolean) => void;

/** Batches lines and renders them at most once a frame: a thousand lines cost no more than one. */
const useBatches = (appendRows: AppendRows) => {
  const pending = useRef<LogRow[]>([]);
  const frame = useRef(0);
  const paused = useRef(false);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const schedule = () => {
    if (frame.current !== 0 || paused.current) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      if (paused.current || pending.current.length === 0) return;
      const rows = pending.current;
      pending.current = [];
      appendRows(rows);
    });
  };
  return {
    add: (row: LogRow) => {
      pending.current.push(row);
      schedule();
    },
    pause: () => {
      paused.current = true;
    },
    resume: () => {
      paused.current = false;
      schedule();
    },
  };
};

/** When more lines arrived at once than the hub pushes, reads the skipped ones from the stored log. */
const useGapFill = (deviceId: string, lastId: () => string | undefined, appendRows: AppendRows) => {
  const running = useRef<Promise<void>>(undefined);
  const again = useRef(false);
  const fill = async (): Promise<void> => {
    try {
      do {
        again.current = false;
        const { rows, complete } = await readSince(deviceId, lastId());
        appendRows(rows, complete);
      } while (again.current);
    } catch (error) {
      announceFailure(error);
      appendRows([], false);
    } finally {
      running.current = undefined;
    }
  };
  /** Resolves when all gaps so far are filled. */
  return (): Promise<void> => {
    again.current = true;
    running.current ??= fill();
    return running.current;
  };
};

/** Reports each interruption of the stream with its start and end. */
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

/** The live log of one device, after its latest stored lines. */
export const useLogStream = ({ deviceId, onPresence }: LogStreamOptions) => {
  const [buffer, setBuffer] = useState<LogBuffer>(emptyBuffer);
  const [lastAt, setLastAt] = useState<number>();
  const lastId = useRef<string>(undefined);
  const appendRows: AppendRows = (rows, complete = true) => {
    const now = new Date().toISOString();
    lastId.current = rows[rows.length - 1]?.id ?? lastId.current;
    setBuffer((known) => append(complete ? known : markGap(known, { from: now, to: now, dropped: true }), rows));
    if (rows.length > 0) setLastAt(Date.now());
  };
  const { add, pause, resume } = useBatches(appendRows);
  const fill = useGapFill(deviceId, () => lastId.current, appendRows);
  const onEvent = (event: LiveEvent) => {
    if (event.kind === 'log') add(event.data);
    else if (event.kind === 'presence') onPresence(event.data);
    else if (event.kind === 'gap') {
      // Lines after the gap wait until the gap is filled.
      pause();
      void fill().then(resume);
    }
  };
  const poll = () => readSince(deviceId, lastId.current).then(({ rows }) => appendRows(rows), announceFailure);
  const state = useLive({ deviceId, kinds: ['presence', 'log'], onEvent, refetch: poll });
  useInterruption(state.kind, (from, to) => setBuffer((known) => markGap(known, { from, to, dropped: false })));

  useEffect(() => {
    let unmounted = false;
    const show = (rows: LogRow[]) => {
      if (unmounted) return;
      lastId.current ??= rows[rows.length - 1]?.id;
      setBuffer((known) => prepend(known, rows));
    };
    void readLatest(deviceId).then(show, () => undefined);
    return () => {
      unmounted = true;
    };
  }, [deviceId]);

  return { buffer, state, lastAt, clear: () => setBuffer(cleared) };
};
