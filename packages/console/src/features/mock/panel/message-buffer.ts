import { Flow } from '@device-center/contract';
import { type Entry, type LoggedMessage, responseErrorOf, summarizeEnvelope } from './message-entry.ts';

/** Older messages are dropped. */
export const BUFFER_MAX = 10_000;

export type MessageBuffer = {
  entries: readonly Entry[];
  /** Total number of received messages, from which a paused view computes how many are new. */
  received: number;
  /** Number of dropped messages. */
  dropped: number;
};

export const emptyBuffer: MessageBuffer = { entries: [], received: 0, dropped: 0 };

const isRequestOf =
  ({ direction, envelope }: LoggedMessage) =>
  (entry: Entry): boolean =>
    entry.envelope.dataFlow === Flow.request &&
    entry.direction !== direction &&
    entry.envelope.dataId === envelope.dataId &&
    entry.envelope.type === envelope.type &&
    entry.envelope.deviceId === envelope.deviceId;

/** Each session restarts the numbers, so the newest matching request is the right one. */
const requestIndex = (entries: readonly Entry[], message: LoggedMessage): number =>
  message.envelope.dataFlow === Flow.response ? entries.findLastIndex(isRequestOf(message)) : -1;

/** Appends messages. An error response is also stored at its request. */
export const append = (buffer: MessageBuffer, messages: readonly LoggedMessage[], max = BUFFER_MAX): MessageBuffer => {
  if (messages.length === 0) return buffer;
  const entries = [...buffer.entries];
  let { received } = buffer;
  for (const message of messages) {
    const index = requestIndex(entries, message);
    const request = entries[index];
    const error = responseErrorOf(message.envelope);
    if (request && error) entries[index] = { ...request, error };
    entries.push({ ...message, ...summarizeEnvelope(message.envelope, request), key: ++received, error });
  }
  const excess = Math.max(0, entries.length - max);
  return { entries: excess > 0 ? entries.slice(excess) : entries, received, dropped: buffer.dropped + excess };
};

/** Removes the messages and keeps the total count. */
export const cleared = (buffer: MessageBuffer): MessageBuffer => ({ ...buffer, entries: [], dropped: 0 });
