import { help, type Options, OptionsError, readOptions } from './arguments.ts';
import { summaryOf } from './progress.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate`: simulates a fleet of devices. */

/** npm forwards Ctrl-C to a process that got it from the terminal already, so one key press may arrive twice. */
const DUPLICATE_SIGNAL_MS = 500;

const parseOptions = (args: string[]): Options | null => {
  try {
    return readOptions(args);
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    process.stderr.write(`${error.message}\nSee --help.\n`);
    process.exit(2);
  }
};

const options = parseOptions(process.argv.slice(2));
if (!options) {
  process.stdout.write(help);
  process.exit(0);
}

const stop = new AbortController();
let pressedAt = 0;
const onSignal = (): void => {
  const isSecondPress = stop.signal.aborted && performance.now() - pressedAt > DUPLICATE_SIGNAL_MS;
  if (isSecondPress) process.exit(130);
  if (!stop.signal.aborted) pressedAt = performance.now();
  stop.abort();
};
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

const stats = await simulate(options, process.stdout, stop.signal);
process.stdout.write(summaryOf(stats));
process.exit(stats.everOnline > 0 ? 0 : 1);
