import { type RawBuilder, type SqlBool, sql } from 'kysely';

/* A lease is a row with an expiry time, by the database's clock, which all hubs share. */

export const leaseUntil = (ms: number, time: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`${time} + cast(${ms} as bigint)`;

/** The lease has expired, or ends so far ahead that the clock must have been set back since. */
export const isLeaseFree = (column: string, ms: number, time: RawBuilder<number>): RawBuilder<SqlBool> => {
  const until = sql.ref(column);
  return sql<SqlBool>`(${until} <= ${time} or ${until} > ${leaseUntil(2 * ms, time)})`;
};
