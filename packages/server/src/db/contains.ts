import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldCase } from '../platform/fold-case.ts';

/** True if the case-folded column contains the word. `%` and `_` in the word are literal. */
export const contains = (column: string, word: string): RawBuilder<SqlBool> => {
  const pattern = `%${foldCase(word).replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
};

/** True if any of the case-folded columns contains the word. */
export const containsAny = (columns: string[], word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    columns.map((column) => contains(column, word)),
    sql` or `,
  )})`;
