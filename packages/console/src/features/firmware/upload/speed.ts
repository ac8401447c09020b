const WINDOW_MS = 5_000;
/** Before that it would only be a guess. */
const ENOUGH_MS = 500;

type Sample = { at: number; sent: number };

/** Bytes a second over the last seconds; undefined until there is something to tell from. */
export const createSpeed = () => {
  let samples: Sample[] = [];
  return {
    /** After a pause, what was before says nothing. */
    reset: (): void => {
      samples = [];
    },
    add: (sent: number, at: number): number | undefined => {
      // Taken back where a piece had to be sent again.
      if (sent < (samples.at(-1)?.sent ?? 0)) samples = [];
      samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, sent }];
      const [first] = samples;
      if (!first || at - first.at < ENOUGH_MS) return undefined;
      return ((sent - first.sent) / (at - first.at)) * 1_000;
    },
  };
};
