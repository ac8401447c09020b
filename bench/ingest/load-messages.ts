/** Messages between a benchmark and its load generator, a separate process. */
export type LoadDevice = {
  deviceId: string;
  token: string;
  secret: string;
  sessionId: string;
  tenantId: string;
  topic: string;
  firstDataId: number;
};

export type LoadOptions = {
  port: number;
  devices: LoadDevice[];
  window: number;
  warmUpMs: number;
  measureMs: number;
};

/** Sent when measuring starts, for benchmarks that measure something else at the same time. */
export const LOAD_STARTED = 'started';

export type LoadResult = { acknowledged: number; seconds: number; bytes: number; lastDataIds: number[] };
