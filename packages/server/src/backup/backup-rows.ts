import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Manifest, TablePart } from './manifest.ts';
import { BackupError, type Cell, PIECE_BYTES, type Row, type RowSource, type RowTarget, type Table } from './rows.ts';
import { writeSummed } from './summed-files.ts';

/** A table is a file of lines, compressed: each line a row, as a JSON list; bytes are `{ "base64": … }`. */

const lineOf = (row: Row): string =>
  `${JSON.stringify(row.map((cell) => (cell instanceof Uint8Array ? { base64: Buffer.from(cell).toString('base64') } : cell)))}\n`;

const cellOf = (value: Cell | { base64: string }): Cell =>
  value !== null && typeof value === 'object' && 'base64' in value ? Buffer.from(value.base64, 'base64') : value;

const rowOf = (line: string): Row => (JSON.parse(line) as (Cell | { base64: string })[]).map(cellOf);

async function* linesOf(pieces: AsyncIterable<Row[]>, add: (rows: number) => void): AsyncGenerator<string> {
  for await (const piece of pieces) {
    add(piece.length);
    yield piece.map(lineOf).join('');
  }
}

/** Collects the tables of a backup in a folder. */
export const createBackupTarget = (folder: string) => {
  const tables: TablePart[] = [];
  const migrations: Manifest['migrations'] = { hub: [], records: [] };
  const target: Pick<RowTarget, 'prepare' | 'write' | 'count'> = {
    async prepare(place, applied) {
      migrations[place] = applied.map(({ name, checksum }) => ({ name, checksum }));
    },
    async write({ place, name, columns }, pieces) {
      const file = `${place}/${name}.ndjson.gz`;
      let rows = 0;
      const lines = Readable.from(
        linesOf(pieces, (more) => {
          rows += more;
        }),
        { highWaterMark: 1 },
      );
      const sum = await writeSummed(join(folder, file), lines, { zip: true });
      tables.push({ place, table: name, columns: columns.map((column) => column.name), rows, file, ...sum });
    },
    count: async ({ place, name }) => partOf(tables, { place, name })?.rows ?? 0,
  };
  return { target, tables, migrations };
};

const partOf = (tables: TablePart[], { place, name }: Pick<Table, 'place' | 'name'>): TablePart | undefined =>
  tables.find((part) => part.place === place && part.table === name);

/** Pictures and models are the largest; a few kilobytes of gzip may claim any number of gigabytes. */
const ROW_MAX = 64 << 20;

const damaged = (what: string): BackupError => new BackupError(`the backup is damaged: ${what}`);

/** Not by a line reader: those take other characters for the end of a line as well. */
async function* rowsIn(path: string): AsyncGenerator<Row[]> {
  // Whoever reads learns of a failure by it.
  const unzipped = pipeline(createReadStream(path), createGunzip({ chunkSize: PIECE_BYTES }), () => undefined);
  let rest = '';
  for await (const text of unzipped.setEncoding('utf8')) {
    const end = text.lastIndexOf('\n');
    if (end >= 0) yield (rest + text.slice(0, end)).split('\n').map(rowOf);
    rest = end < 0 ? rest + text : text.slice(end + 1);
    if (rest.length > ROW_MAX) throw new Error(`a row has more than ${ROW_MAX} characters`);
  }
}

/** What was summed rightly may still be no table at all. */
async function* readable(file: string, pieces: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw damaged(`${file} cannot be read: ${(error as Error).message}`);
  } finally {
    await pieces.return(undefined);
  }
}

/** The rows of a backup whose sums were found right. */
export const openBackupSource = (folder: string, { tables, migrations }: Manifest): RowSource => ({
  what: 'backup',
  applied: async (place) => migrations[place],
  async *read(table) {
    const part = partOf(tables, table);
    const names = table.columns.map(({ name }) => name);
    if (part?.columns.join() !== names.join()) throw damaged(`${table.place}.${table.name} has other columns`);
    let rows = 0;
    for await (const piece of readable(part.file, rowsIn(join(folder, part.file)))) {
      rows += piece.length;
      if (rows > part.rows) throw damaged(`${part.file} has more than ${part.rows} rows`);
      yield piece;
    }
    if (rows !== part.rows) throw damaged(`${part.file} has ${rows} rows of ${part.rows}`);
  },
  close: async () => undefined,
});
