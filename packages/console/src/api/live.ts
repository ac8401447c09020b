import { recordCalls, type StreamEvents, type StreamKind, streamKinds } from '@device-center/contract';
import { onlineManager } from '@tanstack/react-query';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { useEffect, useRef, useState } from 'react';
import { checkHub } from '../hub-watch.ts';
import { ApiError } from './api-error.ts';
import { announceFailure } from './feedback.ts';
import { hubHeaders } from './send.ts';

type EventOf<Kind extends StreamKind> = { kind: Kind; data: StreamEvents[Kind] };
/** `gap`: the hub had more events than it could send, skipped them and continues with current ones. */
export type LiveEvent = { [Kind in StreamKind]: EventOf<Kind> }[StreamKind] | { kind: 'gap' };

export type LiveState =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** The page is polled until the stream is connected again. */
  | { kind: 'reconnecting'; retryAt: number }
  /** The tab is hidden, or the stream is disabled. */
  | { kind: 'paused' };

export const POLL_MS = 10_000;
/** The hub sends `ping` every 15 s: if two are missing, the connection is dead although it was never closed. */
const SILENCE_MS = 40_000;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 30_000;

/** Exponential back-off with jitter, so that browsers that lost the same hub do not reconnect at the same time. */
export const backoffMs = (failures: number, random = Math.random()): number =>
  Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** failures) * (0.75 + random / 2);

const isStreamKind = (word: string | undefined): word is StreamKind => streamKinds.some((kind) => kind === word);

export const readEvent = ({ event, data }: EventSourceMessage): LiveEvent | undefined => {
  if (event === 'gap') return { kind: 'gap' };
  if (!isStreamKind(event)) return undefined;
  // The hub's response is trusted to match the contract, as in `send`.
  return { kind: event, data: JSON.parse(data) } as LiveEvent;
};

type LiveOptions = {
  deviceId: string | undefined;
  tenancyId?: string | undefined;
  timezone?: string | undefined;
  kinds: readonly StreamKind[];
  latest?: number | undefined;
  onEvent: (event: LiveEvent) => void;
  onState: (state: LiveState) => void;
  refetch: () => void;
};

const fetchStream = async (
  { deviceId, tenancyId, timezone, kinds, latest }: LiveOptions,
  cursor: string,
  signal: AbortSignal,
) => {
  const query = new URLSearchParams({ kinds: JSON.stringify(kinds) });
  if (deviceId !== undefined) query.set('deviceId', deviceId);
  if (tenancyId !== undefined) query.set('tenancyId', tenancyId);
  if (timezone !== undefined) query.set('timezone', timezone);
  if (cursor !== '') query.set('cursor', cursor);
  else if (latest !== undefined) query.set('latest', String(latest));
  const headers = hubHeaders();
  headers.set('Accept', 'text/event-stream');
  const response = await fetch(`${recordCalls.streamDevices.path}?${query}`, { headers, cache: 'no-store', signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (response.ok && isStream && response.body) return response.body;
  throw new ApiError({ status: response.status, code: `HTTP_${response.status}`, message: '' });
};

/** Passes each chunk to `onChunk`. Calls `onSilence` if nothing arrives for SILENCE_MS. */
const listen = async (body: ReadableStream<Uint8Array>, onChunk: (text: string) => void, onSilence: () => void) => {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let silence: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      clearTimeout(silence);
      silence = setTimeout(onSilence, SILENCE_MS);
      const { done, value } = await reader.read();
      if (done) return;
      onChunk(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(silence);
  }
};

/** Keeps one stream open. Returns a function that closes it. */
export const openLive = (options: LiveOptions): (() => void) => {
  const { onEvent, onState, refetch } = options;
  let cursor = '';
  let failures = 0;
  let interrupted = false;
  let connection: AbortController | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const closeConnection = () => {
    clearTimeout(retry);
    retry = undefined;
    clearInterval(poll);
    poll = undefined;
    connection?.abort();
    connection = undefined;
  };

  const onConnected = () => {
    failures = 0;
    clearInterval(poll);
    poll = undefined;
    onState({ kind: 'live' });
    // Without a cursor the stream starts now, so events of the interruption are missing.
    if (interrupted && cursor === '') refetch();
    interrupted = false;
  };

  const scheduleReconnect = () => {
    interrupted = true;
    void checkHub();
    const wait = backoffMs(failures++);
    onState({ kind: 'reconnecting', retryAt: Date.now() + wait });
    retry = setTimeout(() => void connect(), wait);
    poll ??= setInterval(refetch, POLL_MS);
  };

  const connect = async (): Promise<void> => {
    retry = undefined;
    const own = new AbortController();
    connection = own;
    const parser = createParser({
      onId: (id) => {
        cursor = id;
      },
      onEvent: (message) => {
        const event = readEvent(message);
        if (event) onEvent(event);
      },
    });
    try {
      const body = await fetchStream(options, cursor, own.signal);
      onConnected();
      await listen(
        body,
        (text) => {
          if (!own.signal.aborted) parser.feed(text);
        },
        () => own.abort('silent'),
      );
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return announceFailure(error);
      if (own.signal.aborted && own.signal.reason !== 'silent') return;
    }
    // Another connection means that this one was closed deliberately while its last chunk was being read.
    if (connection === own) scheduleReconnect();
  };

  const openConnection = () => {
    closeConnection();
    if (document.visibilityState === 'hidden') {
      interrupted = true;
      onState({ kind: 'paused' });
      return;
    }
    onState({ kind: 'connecting' });
    void connect();
  };
  const retryNow = () => {
    if (retry !== undefined && document.visibilityState !== 'hidden') openConnection();
  };

  document.addEventListener('visibilitychange', openConnection);
  window.addEventListener('online', retryNow);
  // A connection opened before the hub became unreachable may be dead without having been closed.
  const stopWatching = onlineManager.subscribe((online) => {
    if (!online) return;
    interrupted = true;
    openConnection();
  });
  openConnection();
  return () => {
    document.removeEventListener('visibilitychange', openConnection);
    window.removeEventListener('online', retryNow);
    stopWatching();
    closeConnection();
  };
};

type UseLiveOptions = {
  /** One device. If omitted, all devices visible to the user, but only presence, events and counts. */
  deviceId?: string | undefined;
  /** Restricts a platform operator's stream to one tenant. */
  tenancyId?: string | undefined;
  /** Time zone in which the day of the counts begins. */
  timezone?: string | undefined;
  kinds: readonly StreamKind[];
  /** The stream starts with this many of the latest presence changes and events. */
  latest?: number | undefined;
  onEvent: (event: LiveEvent) => void;
  /** Called every 10 s while the stream is disconnected. */
  refetch?: (() => unknown) | undefined;
  enabled?: boolean | undefined;
};

/** Live events, while the tab is visible. */
export const useLive = ({
  deviceId,
  tenancyId,
  timezone,
  kinds,
  latest: latestCount,
  onEvent,
  refetch,
  enabled = true,
}: UseLiveOptions): LiveState => {
  const [state, setState] = useState<LiveState>({ kind: enabled ? 'connecting' : 'paused' });
  const latest = useRef({ onEvent, refetch });
  useEffect(() => {
    latest.current = { onEvent, refetch };
  });
  const kindsKey = kinds.join(',');
  useEffect(() => {
    if (!enabled) {
      setState({ kind: 'paused' });
      return;
    }
    return openLive({
      deviceId,
      tenancyId,
      timezone,
      kinds: streamKinds.filter((kind) => kindsKey.split(',').includes(kind)),
      latest: latestCount,
      onEvent: (event) => latest.current.onEvent(event),
      onState: setState,
      refetch: () => void latest.current.refetch?.(),
    });
  }, [deviceId, tenancyId, timezone, kindsKey, latestCount, enabled]);
  return state;
};
