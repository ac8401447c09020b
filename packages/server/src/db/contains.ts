import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { fold } from '../platform/fold-case.ts';

/** "The folded column contains the word"; the word's own % and _ are just characters. */
export const contains = (column: string, word: string): RawBuilder<SqlBool> => {
  const pattern = `%${fold(word).replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
};

/** "Any of the folded columns contains the word." */
export const containsAny = (columns: string[], word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    columns.map((column) => contains(column, word)),
    sql` or `,
  )})`;
