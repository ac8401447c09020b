import { LOG_LINE_MAX_BYTES, LOG_LINES_MAX, logLevelIds, MessageType } from '@device-center/contract';
import type { ClientState } from './client-state.ts';
import { bytesOf } from './hashes.ts';
import { after } from './platform.ts';

type Line = { level: number; time: number; log: string };

const FLUSH_MS = 1_000;
/** Flush interval while the hub has real-time push of the log switched on. */
const FLUSH_WATCHED_MS = 100;
/** Leaves room for the envelope in a message of 128 KiB. */
const BATCH_MAX_BYTES = 120 * 1024;

/** Truncates a text to `maxBytes` of UTF-8 without splitting a character. */
export const clip = (text: string, maxBytes: number): string => {
  if (bytesOf(text) <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
};

/** Size of a line on the wire, where it is encoded as JSON twice: in the payload and in the envelope. */
const wireBytes = (line: Line): number => bytesOf(JSON.stringify(JSON.stringify(line)));

/** Batches log lines, so that a device does not send a message per line. */
export const createLogs = (
  state: ClientState,
  send: (type: number, payload: object) => Promise<void>,
  now: () => number,
) => {
  let lines: Line[] = [];
  let bytes = 0;
  let batch = Promise.withResolvers<void>();
  let cancelTimer = (): void => undefined;

  const flush = (): void => {
    cancelTimer();
    if (lines.length === 0) return;
    const [logs, done] = [lines, batch];
    [lines, bytes, batch] = [[], 0, Promise.withResolvers<void>()];
    done.promise.catch(() => undefined);
    done.resolve(send(MessageType.log, { logs }));
  };

  return {
    flush,
    log: (level: number, text: string): Promise<void> => {
      if (level < state.settings.loggerLevel || !(logLevelIds as readonly number[]).includes(level))
        return Promise.resolve();
      const line = { level, time: now(), log: clip(text, LOG_LINE_MAX_BYTES) };
      const size = wireBytes(line);
      if (bytes + size > BATCH_MAX_BYTES) flush();
      if (lines.length === 0)
        cancelTimer = after(state.settings.realTimePushSwitch === 1 ? FLUSH_WATCHED_MS : FLUSH_MS, flush);
      lines.push(line);
      bytes += size;
      const { promise } = batch;
      if (lines.length >= LOG_LINES_MAX) flush();
      return promise;
    },
  };
};
