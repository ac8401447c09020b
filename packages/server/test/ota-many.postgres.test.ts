import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProductFixture, insertOffline, type ProductFixture } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import { createVersion } from './firmware-fixtures.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { addTask, OLD, taskOf } from './ota-fixtures.ts';

describeOnPostgres(() => {
  const DEVICES = 1_500;

  let hub: Hub;
  let shop: ProductFixture;
  beforeAll(async () => {
    hub = await startHub();
    shop = await createProductFixture(hub);
  });
  afterAll(() => hub.close());

  /** How many rows PostgreSQL expects in a table. */
  const expectedIn = async (table: string): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
    select reltuples::int as n from pg_class where oid = ${table}::regclass`.execute(hub.db);
    return rows[0]?.n ?? 0;
  };

  it('analyzes a new table before planning a large task', async () => {
    for (const table of ['ota_device', 'ota_hold']) {
      // No automatic analyze runs meanwhile.
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(hub.db);
      await sql`vacuum analyze ${sql.table(table)}`.execute(hub.db);
      expect(await expectedIn(table)).toBe(0);
    }
    await insertOffline(hub.db, shop, DEVICES, OLD);
    const { versionId } = await createVersion(hub, shop, '2.0.0');
    const taskId = await addTask(hub.admin, versionId, { versionNumber: [OLD], executeNow: 1 });
    expect(await taskOf(hub.admin, taskId)).toMatchObject({ deviceCount: DEVICES });
    for (const table of ['ota_device', 'ota_hold']) expect(await expectedIn(table)).toBeGreaterThanOrEqual(1_000);
  });
});
