import { createStore } from 'zustand';
import { append, cleared, emptyBuffer, type MessageBuffer } from './message-buffer.ts';
import type { LoggedMessage } from './message-entry.ts';

/** A hidden tab has no animation frames, so the buffer is also flushed at this number of messages. */
const PENDING_MAX = 500;

/** Collects messages and updates the store at most once per frame, so that many messages cost one render. */
export const createMessageStore = () => {
  const store = createStore<MessageBuffer>(() => emptyBuffer);
  let pending: LoggedMessage[] = [];
  let frame = 0;
  const flush = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    const passed = pending;
    pending = [];
    store.setState((buffer) => append(buffer, passed), true);
  };
  return {
    store,
    add: (passed: LoggedMessage): void => {
      pending.push(passed);
      if (pending.length >= PENDING_MAX) flush();
      else if (frame === 0) frame = requestAnimationFrame(flush);
    },
    clear: (): void => {
      flush();
      store.setState(cleared);
    },
  };
};

export type MessageStore = ReturnType<typeof createMessageStore>;
