import { setImmediate } from 'node:timers/promises';

/** CSV as spreadsheets write and read it (RFC 4180, with a byte order mark). */

const BYTE_ORDER_MARK = '\uFEFF';

/** A spreadsheet takes a cell that begins so for a formula, and runs it; an East Asian one in full width too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

const cell = (value: string | number): string => {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;

/** A header and then the rows, a piece at a time, as they are read. */
export async function* csvOf(
  header: readonly string[],
  pieces: AsyncIterable<(string | number)[][]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(header);
  for await (const rows of pieces) yield rows.map(line).join('');
}

/** "Unicode text" of a spreadsheet is UTF-16 with a mark; without one, Chinese spreadsheets save GB 18030. */
export const csvText = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
};

export type CsvRow = {
  /** Where it begins, from 1. */
  line: number;
  cells: string[];
};

/** Characters that a cell of a spreadsheet can hold. Quoted text is no longer, so that the next pause is never far. */
const CELL_MAX = 32_767;
const tokens = {
  ',': /"((?:[^"]|""){0,32767})"|[^",\r\n]+|,|\r\n|\n|\r|"/g,
  ';': /"((?:[^"]|""){0,32767})"|[^";\r\n]+|;|\r\n|\n|\r|"/g,
  '\t': /"((?:[^"]|""){0,32767})"|[^"\t\r\n]+|\t|\r\n|\n|\r|"/g,
};
type Separator = keyof typeof tokens;

/** Where the comma is the decimal sign, spreadsheets separate by semicolons; "Unicode text" has tabs. */
const separatorOf = (text: string): Separator => {
  const [header = ''] = text.slice(0, 10_000).split(/[\r\n]/, 1);
  const count = (separator: Separator) => header.split(separator).length;
  return ([',', ';', '\t'] as const).reduce((most, one) => (count(one) > count(most) ? one : most));
};

/** More columns than any table that is exported here has. */
const COLUMNS_MAX = 200;
/** Read between two pauses: a few milliseconds. */
const TOKENS_AT_ONCE = 20_000;
const CHARACTERS_AT_ONCE = 100_000;

export class CsvTooLarge extends Error {}

/**
 * Every row that has anything in it. Quoted cells may hold commas, quotes and line ends. Reading stops at the limit,
 * and pauses, so that other requests are answered meanwhile.
 */
export const parseCsv = async (text: string, rowsMax: number): Promise<CsvRow[]> => {
  const rows: CsvRow[] = [];
  const plain = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(plain);
  let tokensRead = 0;
  let pauseAt = CHARACTERS_AT_ONCE;
  let row: CsvRow = { line: 1, cells: [] };
  let content = '';
  let at = 1;

  const endRow = (): void => {
    row.cells.push(content.trim());
    if (row.cells.some((value) => value !== '')) rows.push(row);
    if (rows.length > rowsMax) throw new CsvTooLarge();
    content = '';
    row = { line: at, cells: [] };
  };

  for (const { 0: token, 1: quoted, index } of plain.matchAll(tokens[separator])) {
    tokensRead += 1;
    if (tokensRead % TOKENS_AT_ONCE === 0 || index >= pauseAt) {
      await setImmediate();
      pauseAt = index + CHARACTERS_AT_ONCE;
    }
    if (token === separator) {
      if (row.cells.length >= COLUMNS_MAX) throw new CsvTooLarge();
      row.cells.push(content.trim());
      content = '';
    } else if (token === '\n' || token === '\r' || token === '\r\n') {
      at += 1;
      endRow();
    } else if (quoted !== undefined) {
      content += quoted.replaceAll('""', '"');
      at += quoted.match(/\r\n|\n|\r/g)?.length ?? 0;
    } else {
      // The closing quote is further away than a cell is long.
      if (token === '"' && plain.includes('"', index + 1)) throw new CsvTooLarge();
      content += token;
    }
    if (content.length > CELL_MAX) throw new CsvTooLarge();
  }
  endRow();
  return rows;
};
