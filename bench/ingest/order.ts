/** What a measurement and its load, which is a process of its own, say to each other. */
export type LoadDevice = {
  deviceId: string;
  token: string;
  secret: string;
  sessionId: string;
  tenantId: string;
  topic: string;
  firstDataId: number;
};

export type LoadOrder = {
  port: number;
  devices: LoadDevice[];
  window: number;
  warmUpMs: number;
  measureMs: number;
};

/** Said when measuring begins, for those who measure something else meanwhile. */
export const LOAD_BEGUN = 'begun';

export type LoadResult = { acknowledged: number; seconds: number; bytes: number; lastDataIds: number[] };
