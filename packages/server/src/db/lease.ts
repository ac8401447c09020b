import { type RawBuilder, type SqlBool, sql } from 'kysely';

/*
 * Work that one hub does for all of them is claimed in a row until a time, which goes by one clock for all hubs: the
 * database's.
 */

export const leaseUntil = (ms: number, time: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`${time} + cast(${ms} as bigint)`;

/** Its time is over, or so far ahead that nobody can have meant it: the clock has been set back since. */
export const isLeaseFree = (column: string, ms: number, time: RawBuilder<number>): RawBuilder<SqlBool> => {
  const until = sql.ref(column);
  return sql<SqlBool>`(${until} <= ${time} or ${until} > ${leaseUntil(2 * ms, time)})`;
};
