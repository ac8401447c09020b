import { LOG_LINE_MAX_BYTES, LOG_LINES_MAX, logLevelIds, MessageType } from '@device-center/contract';
import type { Unit } from './client-state.ts';
import { bytesOf } from './hashes.ts';
import { after } from './runtime.ts';

type Line = { level: number; time: number; log: string };

const FLUSH_MS = 1_000;
/** While somebody watches the log as it comes. */
const FLUSH_WATCHED_MS = 100;
/** Room in a message of 128 KiB for the rest of it. */
const BATCH_MAX_BYTES = 120 * 1024;

/** At most so many bytes, never half a character. */
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

/** A line is text in JSON in JSON: what counts is what it is on the wire. */
const wireBytes = (line: Line): number => bytesOf(JSON.stringify(JSON.stringify(line)));

/** Gathers lines, so that a talkative device does not send a message for each. */
export const createLogs = (unit: Unit, send: (type: number, payload: object) => Promise<void>, now: () => number) => {
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
      if (level < unit.settings.loggerLevel || !(logLevelIds as readonly number[]).includes(level))
        return Promise.resolve();
      const line = { level, time: now(), log: clip(text, LOG_LINE_MAX_BYTES) };
      const size = wireBytes(line);
      if (bytes + size > BATCH_MAX_BYTES) flush();
      if (lines.length === 0)
        cancelTimer = after(unit.settings.realTimePushSwitch === 1 ? FLUSH_WATCHED_MS : FLUSH_MS, flush);
      lines.push(line);
      bytes += size;
      const { promise } = batch;
      if (lines.length >= LOG_LINES_MAX) flush();
      return promise;
    },
  };
};
