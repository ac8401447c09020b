import { readFileSync } from 'node:fs';
import type { ValueCurve } from '@device-center/virtual-device';
import { z } from 'zod';

/** The file in which the hub describes its demonstration fleet. */

const number = z.number();
const curve: z.ZodType<ValueCurve> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('daily'),
      low: number,
      high: number,
      peakHour: number,
      noise: number,
      decimals: z.int(),
    }),
    z.object({ kind: z.literal('working'), idle: number, busy: number, noise: number, decimals: z.int() }),
    z.object({ kind: z.literal('meter'), start: number, perDay: number, decimals: z.int() }),
    z.object({ kind: z.literal('battery'), lastsDays: number }),
    z.object({
      kind: z.literal('timetable'),
      entries: z.array(z.tuple([number, z.unknown()])),
      noise: number.optional(),
    }),
    z.object({ kind: z.literal('occasional'), share: number }),
    z.object({ kind: z.literal('route'), stops: z.array(number), hours: number, noise: number }),
    z.object({ kind: z.literal('fields'), fields: z.record(z.string(), curve) }),
    z.object({ kind: z.literal('list'), entries: z.array(curve) }),
  ]),
);

const values = z.record(z.string(), z.unknown());

const kind = z.object({
  productId: z.string(),
  curves: z.record(z.string(), curve),
  defaults: values,
  logs: z.array(z.string()),
  sampleEvents: z.array(z.object({ event: z.string(), output: values })),
});
export type DemoKind = z.output<typeof kind>;

const client = z.object({
  deviceId: z.string(),
  productId: z.string(),
  secret: z.string(),
  mac: z.string(),
  versionNumber: z.string(),
  curveContext: z.object({ seed: number, offsetHours: number }),
  everyS: z.number().positive(),
  trouble: z.enum(['slow', 'breaksModel', 'flapping']).nullable(),
});
export type DemoClient = z.output<typeof client>;

const fleet = z.object({
  products: z.array(kind),
  devices: z.array(client.extend({ children: z.array(client) })),
});
export type DemoFleet = z.output<typeof fleet>;

export const readFleet = (file: string): DemoFleet => fleet.parse(JSON.parse(readFileSync(file, 'utf8')));
