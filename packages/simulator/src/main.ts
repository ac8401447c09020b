import { help, type Order, readOrder, WrongOrder } from './arguments.ts';
import { summaryOf } from './progress.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate`: a fleet on the command line. */

/** npm passes Ctrl-C on to a process that the terminal has told already, so one key press may arrive twice. */
const SAME_PRESS_MS = 500;

const orderOf = (args: string[]): Order | null => {
  try {
    return readOrder(args);
  } catch (error) {
    if (!(error instanceof WrongOrder)) throw error;
    process.stderr.write(`${error.message}\nSee --help.\n`);
    process.exit(2);
  }
};

const order = orderOf(process.argv.slice(2));
if (!order) {
  process.stdout.write(help);
  process.exit(0);
}

const stop = new AbortController();
let pressedAt = 0;
const onSignal = (): void => {
  const isAgain = stop.signal.aborted && performance.now() - pressedAt > SAME_PRESS_MS;
  if (isAgain) process.exit(130);
  if (!stop.signal.aborted) pressedAt = performance.now();
  stop.abort();
};
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);

const figures = await simulate(order, process.stdout, stop.signal);
process.stdout.write(summaryOf(figures));
process.exit(figures.everOnline > 0 ? 0 : 1);
