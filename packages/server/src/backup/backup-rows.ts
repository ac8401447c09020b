import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Manifest, TablePart } from './manifest.ts';
import { BATCH_BYTES, BackupError, type Cell, type Row, type RowSource, type RowTarget, type Table } from './rows.ts';
import { writeWithChecksum } from './summed-files.ts';

/** File format of a table: gzip-compressed lines, each a row as a JSON array; bytes are `{ "base64": … }`. */

const lineOf = (row: Row): string =>
  `${JSON.stringify(row.map((cell) => (cell instanceof Uint8Array ? { base64: Buffer.from(cell).toString('base64') } : cell)))}\n`;

const cellOf = (value: Cell | { base64: string }): Cell =>
  value !== null && typeof value === 'object' && 'base64' in value ? Buffer.from(value.base64, 'base64') : value;

const rowOf = (line: string): Row => (JSON.parse(line) as (Cell | { base64: string })[]).map(cellOf);

async function* toLines(batches: AsyncIterable<Row[]>, add: (rows: number) => void): AsyncGenerator<string> {
  for await (const batch of batches) {
    add(batch.length);
    yield batch.map(lineOf).join('');
  }
}

/** Writes the tables of a backup to a folder. */
export const createBackupTarget = (folder: string) => {
  const tables: TablePart[] = [];
  const migrations: Manifest['migrations'] = { hub: [], records: [] };
  const target: Pick<RowTarget, 'prepare' | 'write' | 'count'> = {
    async prepare(databaseName, applied) {
      migrations[databaseName] = applied.map(({ name, checksum }) => ({ name, checksum }));
    },
    async write({ databaseName, name, columns }, batches) {
      const file = `${databaseName}/${name}.ndjson.gz`;
      let rows = 0;
      const lines = Readable.from(
        toLines(batches, (more) => {
          rows += more;
        }),
        { highWaterMark: 1 },
      );
      const sum = await writeWithChecksum(join(folder, file), lines, { zip: true });
      tables.push({
        place: databaseName,
        table: name,
        columns: columns.map((column) => column.name),
        rows,
        file,
        ...sum,
      });
    },
    count: async ({ databaseName, name }) => partOf(tables, { databaseName, name })?.rows ?? 0,
  };
  return { target, tables, migrations };
};

const partOf = (
  tables: TablePart[],
  { databaseName, name }: Pick<Table, 'databaseName' | 'name'>,
): TablePart | undefined => tables.find((part) => part.place === databaseName && part.table === name);

/** Limit of one row, above the largest pictures and models: a few kilobytes of gzip may expand to gigabytes. */
const ROW_MAX = 64 << 20;

const corrupted = (what: string): BackupError => new BackupError(`the backup is corrupted: ${what}`);

/** Splits at `\
` only: a line reader also splits at other characters. */
async function* rowsIn(path: string): AsyncGenerator<Row[]> {
  // The reader of the stream receives the error.
  const unzipped = pipeline(createReadStream(path), createGunzip({ chunkSize: BATCH_BYTES }), () => undefined);
  let rest = '';
  for await (const text of unzipped.setEncoding('utf8')) {
    const end = text.lastIndexOf('\n');
    if (end >= 0) yield (rest + text.slice(0, end)).split('\n').map(rowOf);
    rest = end < 0 ? rest + text : text.slice(end + 1);
    if (rest.length > ROW_MAX) throw new Error(`a row has more than ${ROW_MAX} characters`);
  }
}

/** A file with the right checksum may still hold no table: its read errors become a BackupError. */
async function* withReadErrors(file: string, batches: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw corrupted(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    await batches.return(undefined);
  }
}

/** Reads the rows of a backup whose checksums have been verified. */
export const openBackupSource = (folder: string, { tables, migrations }: Manifest): RowSource => ({
  what: 'backup',
  applied: async (databaseName) => migrations[databaseName],
  async *read(table) {
    const part = partOf(tables, table);
    const names = table.columns.map(({ name }) => name);
    if (part?.columns.join() !== names.join()) throw corrupted(`${table.databaseName}.${table.name} has other columns`);
    let rows = 0;
    for await (const batch of withReadErrors(part.file, rowsIn(join(folder, part.file)))) {
      rows += batch.length;
      if (rows > part.rows) throw corrupted(`${part.file} has more than ${part.rows} rows`);
      yield batch;
    }
    if (rows !== part.rows) throw corrupted(`${part.file} has ${rows} rows of ${part.rows}`);
  },
  close: async () => undefined,
});
