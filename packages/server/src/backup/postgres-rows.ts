import { Client } from 'pg';
import { POSTGRES_TIME } from '../db/clock.ts';
import { type Place, places, readExactNumbers } from '../db/connect.ts';
import { type Applied, applyToPostgres, holdMigrations } from '../db/migrate.ts';
import { BackupError, type Cell, type Row, type RowSource, type RowTarget, rowsToAsk, type Table } from './rows.ts';

const schemas = Object.values(places)
  .map(({ schema }) => `'${schema}'`)
  .join(', ');

/** Its transaction may take hours. */
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
    throw new BackupError(`the database of DATABASE_URL does not answer: ${(error as Error).message}`);
  }
};

const nameOf = ({ place, name }: Table): string => `${places[place].schema}.${name}`;
const columnsOf = ({ columns }: Table): string => columns.map(({ name }) => name).join(', ');

const FIRST_ASKED = 10;

/** One snapshot of everything, beside running hubs, which do not notice. */
export const openPostgresSource = async (url: string): Promise<RowSource> => {
  const client = await openClient(url);
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query(`select to_regclass('${places.hub.schema}.migration') as there`);
  if (rows[0].there === null) {
    await client.end();
    throw new BackupError('there is no hub in the database of DATABASE_URL');
  }
  return {
    what: 'database',
    applied: async (place) =>
      (await client.query<Applied>(`select name, checksum from ${places[place].schema}.migration order by name`)).rows,
    async *read(table) {
      await client.query(`declare reading no scroll cursor for select ${columnsOf(table)} from ${nameOf(table)}`);
      for (let asked = FIRST_ASKED; ; ) {
        const { rows } = await client.query<Row>({ text: `fetch ${asked} from reading`, rowMode: 'array' });
        if (rows.length === 0) break;
        yield rows;
        asked = rowsToAsk(rows);
      }
      await client.query('close reading');
    },
    close: () => client.end(),
  };
};

const arrayType = { text: 'text[]', integer: 'bigint[]', blob: 'bytea[]' } as const;

/** The driver knows buffers only. */
const sendable = (cell: Cell | undefined): unknown =>
  cell instanceof Uint8Array ? Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength) : cell;

const writeAll = async (client: Client, table: Table, pieces: AsyncIterable<Row[]>): Promise<void> => {
  const arrays = table.columns.map(({ type }, index) => `$${index + 1}::${arrayType[type]}`).join(', ');
  const text = `insert into ${nameOf(table)} (${columnsOf(table)}) select * from unnest(${arrays})`;
  for await (const piece of pieces) {
    const values = table.columns.map((_, index) => piece.map((row) => sendable(row[index])));
    await client.query({ name: `insert ${nameOf(table)}`, text, values });
  }
};

type Constraint = { place: Place; table: string; name: string; definition: string };

/** Rows come in any order, so what they refer to is looked at when all are there. */
const dropForeignKeys = async (client: Client, place: Place): Promise<Constraint[]> => {
  const { rows } = await client.query<Omit<Constraint, 'place'>>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = $1::regnamespace`,
    [places[place].schema],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows.map((row) => ({ place, ...row }));
};

const addForeignKeys = async (client: Client, dropped: Constraint[]): Promise<void> => {
  for (const { place, table, name, definition } of dropped) {
    await client.query(`set local search_path = ${places[place].schema}`);
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
};

const refuseRunning = async (client: Client): Promise<void> => {
  const leases = `${places.hub.schema}.hub_instance`;
  const { rows } = await client.query(`select to_regclass('${leases}') as there`);
  if (rows[0].there === null) return;
  const { rows: alive } = await client.query(`select 1 from ${leases} where lease_until > ${POSTGRES_TIME}`);
  if (alive.length > 0)
    throw new BackupError('a hub is running on DATABASE_URL; stop it first (one that was killed counts for 15 s more)');
};

const refuseTables = async (client: Client): Promise<void> => {
  const { rows } = await client.query(
    `select 1 from pg_class where relkind in ('r', 'p') and relnamespace in
       (select oid from pg_namespace where nspname in (${schemas})) limit 1`,
  );
  if (rows.length > 0)
    throw new BackupError('the database of DATABASE_URL is not empty; restore --replace replaces it');
};

/** One transaction: it is there whole or, also after a kill, not at all. A hub that starts meanwhile waits for it. */
export const openPostgresTarget = async (url: string, { replace }: { replace: boolean }): Promise<RowTarget> => {
  const client = await openClient(url);
  const dropped: Constraint[] = [];
  try {
    await client.query('begin');
    await holdMigrations(client);
    await refuseRunning(client);
    if (!replace) await refuseTables(client);
    for (const { schema } of Object.values(places)) await client.query(`drop schema if exists ${schema} cascade`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    async prepare(place, migrations, tables) {
      await applyToPostgres(client, place, migrations);
      dropped.push(...(await dropForeignKeys(client, place)));
      await client.query(`truncate ${tables.map(nameOf).join(', ')}`);
    },
    write: (table, pieces) => writeAll(client, table, pieces),
    count: async (table) => {
      const { rows } = await client.query<{ rows: number }>(`select count(*) as rows from ${nameOf(table)}`);
      return rows[0]?.rows ?? 0;
    },
    async finish() {
      await addForeignKeys(client, dropped);
      // Whoever held a lease does not hold it here.
      await client.query(`update ${places.hub.schema}.hub_instance set lease_until = 0`);
      await client.query('commit');
      // Until the server does it by itself every list would be planned as if the tables were empty.
      await client.query('analyze').catch(() => undefined);
      await client.end();
    },
    abandon: () => client.end(),
  };
};
