/** The relative frequency of each operation. */
const weights = {
  create: 2,
  act: 4,
  first: 1,
  look: 6,
  lookBoth: 1,
  online: 3,
  answer: 4,
  report: 5,
  stale: 1,
  runs: 3,
  seconds: 2,
  minutes: 2,
  hours: 1,
  restart: 1,
  deleteDevice: 1,
} as const;
type Operation = keyof typeof weights;
export const operations = (Object.keys(weights) as Operation[]).flatMap((op) =>
  Array.from({ length: weights[op] }, () => op),
);
export type Step = { op: Operation; a: number; b: number };
