import { randomBytes } from 'node:crypto';
import type { Db } from '../db/connect.ts';

const METADATA_NAME = 'writeProbe';
/** Large enough to need disk space. */
const BYTES = 2_048;
const CACHE_MS = 5_000;
const TIMEOUT_MS = 2_000;

/** Whether the database accepts writes, found out by writing; repeated calls within a few seconds share one result. */
export const createWriteProbe = (db: Db): (() => Promise<boolean>) => {
  let pending: Promise<boolean> | undefined;
  let startedAt = 0;

  const write = async (): Promise<boolean> => {
    const fact_value = randomBytes(BYTES).toString('base64');
    await db
      .insertInto('hub_fact')
      .values({ fact_name: METADATA_NAME, fact_value })
      .onConflict((conflict) => conflict.column('fact_name').doUpdateSet({ fact_value }))
      .execute();
    return true;
  };

  return () => {
    if (pending && performance.now() - startedAt < CACHE_MS) return pending;
    const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, TIMEOUT_MS, false).unref());
    startedAt = performance.now();
    pending = Promise.race([write().catch(() => false), timeout]);
    return pending;
  };
};
