/**
 * Loaded before a hub (`NODE_OPTIONS=--import=…`), and so before its sides and their threads: their clock is off by
 * CLOCK_OFFSET_MS, or by what stands in CLOCK_FILE at the time, which moves it while they run. Timers run as ever, but
 * those of a minute (and up to two seconds more, since jobs begin one after the other) take CLOCK_MINUTE_MS, so that a
 * job need not be waited for.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

let offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
const minute = Number(process.env.CLOCK_MINUTE_MS ?? 60_000);

const RealDate = Date;
const realNow = Date.now;
RealDate.now = () => realNow() + offset;

const file = process.env.CLOCK_FILE;
if (file) {
  const look = () => {
    const text = readFileSync(file, 'utf8');
    if (text === '' || Number(text) === offset) return;
    offset = Number(text);
    // A test waits for every process.
    if (isMainThread) writeFileSync(`${file}.${process.pid}`, text);
  };
  look();
  setInterval(look, 20).unref();
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now()] : given, newTarget),
  apply: () => new RealDate(RealDate.now()).toString(),
});

const isMinute = (delay) => delay >= 60_000 && delay <= 62_000;

const realTimeout = globalThis.setTimeout;
globalThis.setTimeout = Object.assign(
  (work, delay, ...given) => realTimeout(work, isMinute(delay) ? minute : delay, ...given),
  realTimeout,
);
