import { Client } from 'pg';
import { POSTGRES_TIME } from '../db/clock.ts';
import { type DatabaseName, databaseLayout, readExactNumbers } from '../db/connect.ts';
import { type Applied, applyToPostgres, lockMigrations } from '../db/migrate.ts';
import { BackupError, type Cell, nextFetchSize, type Row, type RowSource, type RowTarget, type Table } from './rows.ts';

const schemas = Object.values(databaseLayout)
  .map(({ schema }) => `'${schema}'`)
  .join(', ');

/** Opens a client without timeouts: the transaction may take hours. */
const openClient = async (connectionString: string): Promise<Client> => {
  readExactNumbers();
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new BackupError(`cannot connect to the database of DATABASE_URL: ${(error as Error).message}`);
  }
};

const nameOf = ({ databaseName, name }: Table): string => `${databaseLayout[databaseName].schema}.${name}`;
const columnsOf = ({ columns }: Table): string => columns.map(({ name }) => name).join(', ');

const FIRST_FETCH = 10;

/** Reads all tables from one snapshot, without disturbing running hubs. */
export const openPostgresSource = async (url: string): Promise<RowSource> => {
  const client = await openClient(url);
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query(`select to_regclass('${databaseLayout.hub.schema}.migration') as there`);
  if (rows[0].there === null) {
    await client.end();
    throw new BackupError('the database of DATABASE_URL contains no hub');
  }
  return {
    what: 'database',
    applied: async (databaseName) =>
      (
        await client.query<Applied>(
          `select name, checksum from ${databaseLayout[databaseName].schema}.migration order by name`,
        )
      ).rows,
    async *read(table) {
      await client.query(`declare reading no scroll cursor for select ${columnsOf(table)} from ${nameOf(table)}`);
      for (let fetchSize = FIRST_FETCH; ; ) {
        const { rows } = await client.query<Row>({ text: `fetch ${fetchSize} from reading`, rowMode: 'array' });
        if (rows.length === 0) break;
        yield rows;
        fetchSize = nextFetchSize(rows);
      }
      await client.query('close reading');
    },
    close: () => client.end(),
  };
};

const arrayType = { text: 'text[]', integer: 'bigint[]', blob: 'bytea[]' } as const;

/** The driver accepts Buffer only. */
const toParameter = (cell: Cell | undefined): unknown =>
  cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength) : cell;

const writeAll = async (client: Client, table: Table, pieces: AsyncIterable<Row[]>): Promise<void> => {
  const arrays = table.columns.map(({ type }, index) => `$${index + 1}::${arrayType[type]}`).join(', ');
  const text = `insert into ${nameOf(table)} (${columnsOf(table)}) select * from unnest(${arrays})`;
  for await (const piece of pieces) {
    const values = table.columns.map((_, index) => piece.map((row) => toParameter(row[index])));
    await client.query({ name: `insert ${nameOf(table)}`, text, values });
  }
};

type Constraint = { databaseName: DatabaseName; table: string; name: string; definition: string };

/** Rows are copied in any order, so foreign keys are checked once all rows are there. */
const dropForeignKeys = async (client: Client, databaseName: DatabaseName): Promise<Constraint[]> => {
  const { rows } = await client.query<Omit<Constraint, 'databaseName'>>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = $1::regnamespace`,
    [databaseLayout[databaseName].schema],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map((row) => ({ databaseName, ...row }));
};

const addForeignKeys = async (client: Client, dropped: Constraint[]): Promise<void> => {
  for (const { databaseName, table, name, definition } of dropped) {
    await client.query(`set local search_path = ${databaseLayout[databaseName].schema}`);
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
};

const assertNotRunning = async (client: Client): Promise<void> => {
  const leases = `${databaseLayout.hub.schema}.hub_instance`;
  const { rows } = await client.query(`select to_regclass('${leases}') as there`);
  if (rows[0].there === null) return;
  const { rows: alive } = await client.query(`select 1 from ${leases} where lease_until > ${POSTGRES_TIME}`);
  if (alive.length > 0)
    throw new BackupError(
      'a hub is running on DATABASE_URL; stop it first (the lease of a killed hub expires after 15 s)',
    );
};

const assertEmpty = async (client: Client): Promise<void> => {
  const { rows } = await client.query(
    `select 1 from pg_class where relkind in ('r', 'p') and relnamespace in
       (select oid from pg_namespace where nspname in (${schemas})) limit 1`,
  );
  if (rows.length > 0) throw new BackupError('the database of DATABASE_URL is not empty; --replace replaces its data');
};

/**
 * Writes in one transaction, so that even a killed process leaves all or nothing. A hub that starts meanwhile waits.
 */
export const openPostgresTarget = async (url: string, { replace }: { replace: boolean }): Promise<RowTarget> => {
  const client = await openClient(url);
  const dropped: Constraint[] = [];
  try {
    await client.query('begin');
    await lockMigrations(client);
    await assertNotRunning(client);
    if (!replace) await assertEmpty(client);
    for (const { schema } of Object.values(databaseLayout))
      await client.query(`drop schema if exists ${schema} cascade`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    async prepare(databaseName, migrations, tables) {
      await applyToPostgres(client, databaseName, migrations);
      dropped.push(...(await dropForeignKeys(client, databaseName)));
      await client.query(`truncate ${tables.map(nameOf).join(', ')}`);
    },
    write: (table, pieces) => writeAll(client, table, pieces),
    count: async (table) => {
      const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${nameOf(table)}`);
      return rows[0]?.rows ?? 0;
    },
    async finish() {
      await addForeignKeys(client, dropped);
      // Leases of the source database are not valid here.
      await client.query(`update ${databaseLayout.hub.schema}.hub_instance set lease_until = 0`);
      await client.query('commit');
      // Until autovacuum analyzes the tables, lists would be planned as if they were empty.
      await client.query('analyze').catch(() => undefined);
      await client.end();
    },
    abandon: () => client.end(),
  };
};
