import { firstSequenceIdAt } from '../../platform/ids.ts';

/** A record to be sent to a browser. */
export type Entry = { number: number; key: string; data: object };

/** Records per poll; if there are more, the browser gets a gap event instead. */
const ENTRIES_PER_POLL = 500;

/**
 * Numbers are assigned before the commit, so another process may commit a lower number later. Each poll therefore
 * re-reads this range, and the feed remembers what it has sent in it.
 */
const REREAD_RANGE = firstSequenceIdAt(1_000);

export type Read = (after: number, limit: number) => Promise<Entry[]>;

/** Reads records of one kind after a number, each once. */
export const createFeed = (read: Read, start: number) => {
  let floor = start;
  let newest = start;
  const sent = new Map<string, number>();

  const forget = (upTo: number): void => {
    for (const [key, number] of sent) if (number <= upTo) sent.delete(key);
  };

  const skip = (): void => {
    newest = Math.max(newest, firstSequenceIdAt(Date.now()));
    floor = newest;
    sent.clear();
  };

  return {
    /** The position to resume from. */
    cursor: (): number => newest,
    /** Skips everything up to now. */
    skip,
    seen({ key, number }: Entry): void {
      sent.set(key, number);
      newest = Math.max(newest, number);
    },
    /** New records, or null if there are too many. */
    async next(): Promise<Entry[] | null> {
      const after = Math.max(floor, newest - REREAD_RANGE);
      forget(after);
      const entries = await read(after, ENTRIES_PER_POLL + 1 + sent.size);
      const fresh = entries.filter(({ key }) => !sent.has(key));
      if (fresh.length <= ENTRIES_PER_POLL) return fresh;
      skip();
      return null;
    },
  };
};

export type Feed = ReturnType<typeof createFeed>;
