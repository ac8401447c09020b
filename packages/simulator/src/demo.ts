import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { simulate } from './simulate.ts';

/** The demonstration fleet of `npm start -- --demo`: the fleets of a file, until somebody ends it. */

const fleetFile = z.object({
  fleets: z.array(
    z.object({ productId: z.string(), productSecret: z.string(), prefix: z.string(), devices: z.int().positive() }),
  ),
});

const [hub = '', file = ''] = process.argv.slice(2);
/** The longest that a timer takes, about three weeks; then the fleet comes anew. */
const LONG_S = 2_000_000;
/** Seconds between two messages of a device: something moves, and a day of it stays small. */
const EVERY_S = 5;
const FAULTS = { drops: 0.002, flap: 0, badSignature: 0.001, slow: 0.02 };

const stop = new AbortController();
const silent = { write: () => true };
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => stop.abort());

const { fleets: all } = fleetFile.parse(JSON.parse(readFileSync(file, 'utf8')));

const runFleet = async ({ productId, productSecret, prefix, devices }: (typeof all)[number]): Promise<void> => {
  while (!stop.signal.aborted)
    await simulate(
      {
        hub,
        product: productId,
        secret: productSecret,
        prefix,
        devices,
        device: null,
        rate: devices / EVERY_S,
        duration: LONG_S,
        faults: FAULTS,
        sign: 'hmacsha256',
        qos: 1,
        quiet: true,
        children: 0,
        childProduct: '',
        childSecret: '',
        stateFile: join(dirname(file), `demo-${prefix}secrets.txt`),
      },
      silent,
      stop.signal,
    );
};

await Promise.all(all.map(runFleet));
process.exit(0);
