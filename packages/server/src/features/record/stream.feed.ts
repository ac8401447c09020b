import { firstNumberAt } from '../../platform/ids.ts';

/** A record on its way to a browser. */
export type Entry = { number: number; key: string; data: object };

/** At most so many records a turn; of more, the browser is told that it missed some. */
const ENTRIES_A_TURN = 500;

/**
 * Numbers are given when something happens and seen when it is committed: another process may commit a lower one
 * later. So a while back is looked at again, and what was sent is remembered for as long.
 */
const LOOKED_AT_AGAIN = firstNumberAt(1_000);

export type Read = (after: number, limit: number) => Promise<Entry[]>;

/** Records of one kind after a number, each once, in their order. */
export const createFeed = (read: Read, start: number) => {
  let floor = start;
  let newest = start;
  const sent = new Map<string, number>();

  const forget = (upTo: number): void => {
    for (const [key, number] of sent) if (number <= upTo) sent.delete(key);
  };

  const skip = (): void => {
    newest = Math.max(newest, firstNumberAt(Date.now()));
    floor = newest;
    sent.clear();
  };

  return {
    /** Where to go on from. */
    cursor: (): number => newest,
    /** Passes over everything up to now. */
    skip,
    seen({ key, number }: Entry): void {
      sent.set(key, number);
      newest = Math.max(newest, number);
    },
    /** What is new, or null where there is too much of it. */
    async next(): Promise<Entry[] | null> {
      const after = Math.max(floor, newest - LOOKED_AT_AGAIN);
      forget(after);
      const entries = await read(after, ENTRIES_A_TURN + 1 + sent.size);
      const fresh = entries.filter(({ key }) => !sent.has(key));
      if (fresh.length <= ENTRIES_A_TURN) return fresh;
      skip();
      return null;
    },
  };
};

export type Feed = ReturnType<typeof createFeed>;
