import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnPostgres } from './engine.ts';
import { createEnvironment, type Environment } from './environment.ts';
import type { Hub } from './hub.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';
import { blockOf } from './pages/commands.ts';
import { endAll, run } from './pages/shell.ts';

describeOnPostgres(() => {
  let hub: Hub;
  let target: Environment;
  beforeAll(async () => {
    // Of a run on PostgreSQL, one on SQLite.
    hub = await startHub({ DATABASE_URL: '' });
    await hub.create.tenancy();
    await hub.process.stop();
    target = await createEnvironment();
  });
  afterAll(async () => {
    endAll();
    await hub.close();
    await target.dispose();
  });

  const both = () => ({ ...hub.env, DATABASE_URL: target.env.DATABASE_URL ?? '' });

  it('moves a hub to PostgreSQL', async () => {
    expect(await run('npm run move-to-postgres', { env: both() })).toMatch(/tenancy\s+2\b/);
  });

  it('lists the partitions of the records', async () => {
    const moved = await startInProcessHub(both());
    const client = new Client({ connectionString: target.env.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query(blockOf('docs/operations.md', 'sql')).finally(() => client.end());
    await moved.stop();
    const sizes = new Map(rows.map((row) => [row.inhrelid, row.pg_size_pretty]));
    for (const name of ['before', 'default'])
      expect(sizes.get(`records.message_record_${name}`)).toMatch(/^\d+ (bytes|kB)$/);
  });
});
