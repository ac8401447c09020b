import { randomBytes } from 'node:crypto';
import type { Db } from './connect.ts';

const FACT = 'writeProbe';
/** Enough that it needs room of its own. */
const BYTES = 2_048;
const GOOD_FOR_MS = 5_000;
const WITHIN_MS = 2_000;

/** Whether the database accepts writes, found out by writing; repeated calls within a few seconds share one result. */
export const createWriteProbe = (db: Db): (() => Promise<boolean>) => {
  let asked: Promise<boolean> | undefined;
  let askedAt = 0;

  const write = async (): Promise<boolean> => {
    const fact_value = randomBytes(BYTES).toString('base64');
    await db
      .insertInto('hub_fact')
      .values({ fact_name: FACT, fact_value })
      .onConflict((conflict) => conflict.column('fact_name').doUpdateSet({ fact_value }))
      .execute();
    return true;
  };

  return () => {
    if (asked && performance.now() - askedAt < GOOD_FOR_MS) return asked;
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, WITHIN_MS, false).unref());
    askedAt = performance.now();
    asked = Promise.race([write().catch(() => false), late]);
    return asked;
  };
};
