/**
 * Loaded before a hub (`NODE_OPTIONS=--import=…`), and so before its sides and their threads: their clock is off by
 * CLOCK_OFFSET_MS. Timers run as ever, but those of a minute take CLOCK_MINUTE_MS, so that a job need not be waited for.
 */
const offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const minute = Number(process.env.CLOCK_MINUTE_MS ?? 60_000);

const RealDate = Date;
const realNow = Date.now;
RealDate.now = () => realNow() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now()] : given, newTarget),
  apply: () => new RealDate(RealDate.now()).toString(),
});

const realTimeout = globalThis.setTimeout;
globalThis.setTimeout = Object.assign(
  (work, delay, ...given) => realTimeout(work, delay === 60_000 ? minute : delay, ...given),
  realTimeout,
);
