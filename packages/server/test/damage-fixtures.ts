import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Hub } from './hub.ts';

export const BROKEN = '{"half": ';

export type Cell = { table: string; key: string; id: string; column: string; in?: 'records' };

/** Corrupts a cell while `work` runs. */
export const corruptCell = async <Result>(
  hub: Pick<Hub, 'db' | 'records'>,
  cell: Cell,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const [table, column, key] = [sql.table(cell.table), sql.ref(cell.column), sql.ref(cell.key)];
  const run = async (query: ReturnType<typeof sql<{ was: string }>>) =>
    cell.in === 'records' ? query.execute(hub.records) : query.execute(hub.db);
  const { rows } = await run(sql<{ was: string }>`select ${column} as was from ${table} where ${key} = ${cell.id}`);
  expect(rows.length).toBeGreaterThan(0);
  const set = (value: string) => run(sql`update ${table} set ${column} = ${value} where ${key} = ${cell.id}`);
  await set(text);
  try {
    return await work();
  } finally {
    await set(rows[0]?.was ?? '');
  }
};

/** The definition of one of a product's functions. */
export const definitionOf = async (hub: Pick<Hub, 'db'>, productId: string): Promise<Cell> => {
  const rows = hub.db.selectFrom('product_function').select('function_id').where('product_id', '=', productId);
  const { function_id: id } = await rows.orderBy('sort_order').executeTakeFirstOrThrow();
  return { table: 'product_function', key: 'function_id', id, column: 'definition' };
};

export const secretOf = (deviceId: string): Cell => ({
  table: 'device',
  key: 'device_id',
  id: deviceId,
  column: 'secret_sealed',
});
