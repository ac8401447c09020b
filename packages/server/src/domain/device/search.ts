import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, isSqlite } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { foldCase } from '../../platform/fold-case.ts';

/**
 * Both engines find parts of words by trigrams. A word of one or two letters is found as the beginning of a trigram, which exists only if the text goes on: so two
 * blanks are appended to each text.
 */
const indexed = (row: string): string =>
  ['device_id_key', 'device_name_key', 'mac_key'].map((column) => `${row}.${column} || '  '`).join(', ');

// A row of the index needs a stable number; the device table's rowid may change when the file is vacuumed.
const SQLITE = [
  'create table device_search_id (search_id integer primary key, device_id text not null unique) strict',
  `create virtual table device_search using fts5(device_id_key, device_name_key, mac_key,
     content='', contentless_delete=1, tokenize='trigram')`,
  'create virtual table device_search_trigram using fts5vocab(device_search, row)',
  `create trigger device_search_added after insert on device begin
     insert into device_search_id (device_id) values (new.device_id);
     insert into device_search (rowid, device_id_key, device_name_key, mac_key)
       select search_id, ${indexed('new')}
       from device_search_id where device_id = new.device_id;
   end`,
  `create trigger device_search_changed after update of device_name_key, mac_key on device
     when new.device_name_key <> old.device_name_key or new.mac_key <> old.mac_key begin
     delete from device_search where rowid = (select search_id from device_search_id where device_id = old.device_id);
     insert into device_search (rowid, device_id_key, device_name_key, mac_key)
       select search_id, ${indexed('new')}
       from device_search_id where device_id = new.device_id;
   end`,
  `create trigger device_search_removed after delete on device begin
     delete from device_search where rowid = (select search_id from device_search_id where device_id = old.device_id);
     delete from device_search_id where device_id = old.device_id;
   end`,
  'insert into device_search_id (device_id) select device_id from device',
  `insert into device_search (rowid, device_id_key, device_name_key, mac_key)
     select search_id, ${indexed('device')}
     from device_search_id inner join device using (device_id)`,
];

const prepareSqlite = (db: Db): Promise<void> =>
  transact(db, async (db) => {
    const { rows } = await sql`select 1 as there from sqlite_master where name = 'device_search'`.execute(db);
    if (rows.length > 0) return;
    for (const statement of SQLITE) await sql.raw(statement).execute(db);
  });

const POSTGRES = [
  'create extension if not exists pg_trgm schema public',
  ...['device_id_key', 'device_name_key', 'mac_key'].map(
    (column) =>
      `create index if not exists device_search_${column} on device using gin (${column} public.gin_trgm_ops)`,
  ),
];

/** Without the right to install the extension, search scans all rows. */
const preparePostgres = async (db: Db): Promise<void> => {
  try {
    for (const statement of POSTGRES) await sql.raw(statement).execute(db);
  } catch {
    return;
  }
};

/** Creates and fills the search index, once, before other work on the tables starts. */
export const prepareSearch = (db: Db): Promise<void> => (isSqlite(db) ? prepareSqlite(db) : preparePostgres(db));

export type SearchedColumn = 'device_id_key' | 'device_name_key' | 'mac_key';

const TRIGRAM = 3;
const LAST_CHARACTER = '\u{10ffff}';

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** SQLite compares each row found with each trigram of the query. */
const COMPARISONS_MAX = 5_000_000;

/** The trigrams that start with this word; null if so many rows match that the index does not help. */
const trigramsOf = async (db: Db, word: string, atMost: number): Promise<string[] | null> => {
  const { rows: trigrams } = await sql<{ term: string; doc: number }>`
    select term, doc from device_search_trigram where term >= ${word} and term < ${word + LAST_CHARACTER}`.execute(db);
  const found = trigrams.reduce((sum, { doc }) => sum + doc, 0);
  return found > atMost || found * trigrams.length > COMPARISONS_MAX ? null : trigrams.map(({ term }) => term);
};

/**
 * Condition for the devices that contain this word, from the index, if at most `atMost` match. Null otherwise, or if no
 * index applies: then a scan in list order fills a page faster.
 */
export const foundByIndex = async (
  db: Db,
  columns: SearchedColumn[],
  word: string,
  atMost: number,
): Promise<RawBuilder<SqlBool> | null> => {
  if (!isSqlite(db)) return null;
  const folded = foldCase(word);
  const words = [...folded].length < TRIGRAM ? await trigramsOf(db, folded, atMost) : [folded];
  if (!words) return null;
  if (words.length === 0) return sql<SqlBool>`1 = 0`;
  const match = `{${columns.join(' ')}} : (${words.map(quote).join(' OR ')})`;
  const hits = sql`select rowid from device_search where device_search match ${match}`;
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${hits} limit ${atMost + 1})`.execute(db);
  if ((rows[0]?.n ?? 0) > atMost) return null;
  return sql<SqlBool>`device.device_id in (select device_id from device_search_id where search_id in (${hits}))`;
};
