const WINDOW_MS = 5_000;
/** A shorter period gives no reliable speed. */
const MIN_PERIOD_MS = 500;

type Sample = { at: number; sent: number };

/** Measures bytes per second over the last seconds; undefined until the period is long enough. */
export const createSpeedMeter = () => {
  let samples: Sample[] = [];
  return {
    /** Drops the samples from before a pause. */
    reset: (): void => {
      samples = [];
    },
    add: (sent: number, at: number): number | undefined => {
      // The number of sent bytes decreases when a chunk is sent again.
      if (sent < (samples.at(-1)?.sent ?? 0)) samples = [];
      samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, sent }];
      const [first] = samples;
      if (!first || at - first.at < MIN_PERIOD_MS) return undefined;
      return ((sent - first.sent) / (at - first.at)) * 1_000;
    },
  };
};
