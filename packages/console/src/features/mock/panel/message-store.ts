import { createStore } from 'zustand';
import { append, cleared, emptyBuffer, type MessageBuffer } from './message-buffer.ts';
import type { Passed } from './message-entry.ts';

/** A hidden tab has no animation frames, so the buffer is also flushed at this number of messages. */
const GATHERED_MAX = 500;

/** Collects messages and updates the store at most once per frame, so that many messages cost one render. */
export const createMessageStore = () => {
  const store = createStore<MessageBuffer>(() => emptyBuffer);
  let gathered: Passed[] = [];
  let frame = 0;
  const show = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    const passed = gathered;
    gathered = [];
    store.setState((buffer) => append(buffer, passed), true);
  };
  return {
    store,
    take: (passed: Passed): void => {
      gathered.push(passed);
      if (gathered.length >= GATHERED_MAX) show();
      else if (frame === 0) frame = requestAnimationFrame(show);
    },
    clear: (): void => {
      show();
      store.setState(cleared);
    },
  };
};

export type MessageStore = ReturnType<typeof createMessageStore>;
