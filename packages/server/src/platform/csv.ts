import { setImmediate } from 'node:timers/promises';

/** CSV as spreadsheets read and write it (RFC 4180, with a byte order mark). */

const BYTE_ORDER_MARK = '\uFEFF';

/** Spreadsheets run a cell that starts with such a character as a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

const cell = (value: string | number): string => {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;

/** Yields the header and then the rows in batches, as they are read. */
export async function* csvOf(
  header: readonly string[],
  batches: AsyncIterable<(string | number)[][]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line(header);
  for await (const rows of batches) yield rows.map(line).join('');
}

/**
 * Decodes a spreadsheet's file: "Unicode text" is UTF-16 with a byte order mark; without one, Chinese spreadsheets use
 * GB 18030.
 */
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
  /** Line on which it starts, from 1. */
  line: number;
  cells: string[];
};

/** Maximum length of a spreadsheet cell. The limit on quoted text bounds the time between two pauses. */
const CELL_MAX = 32_767;
const tokens = {
  ',': /"((?:[^"]|""){0,32767})"|[^",\r\n]+|,|\r\n|\n|\r|"/g,
  ';': /"((?:[^"]|""){0,32767})"|[^";\r\n]+|;|\r\n|\n|\r|"/g,
  '\t': /"((?:[^"]|""){0,32767})"|[^"\t\r\n]+|\t|\r\n|\n|\r|"/g,
};
type Separator = keyof typeof tokens;

/** Locales with a decimal comma separate by semicolons; "Unicode text" by tabs. */
const separatorOf = (text: string): Separator => {
  const [header = ''] = text.slice(0, 10_000).split(/[\r\n]/, 1);
  const count = (separator: Separator) => header.split(separator).length;
  return ([',', ';', '\t'] as const).reduce((best, one) => (count(one) > count(best) ? one : best));
};

/** More columns than any exported table has. */
const COLUMNS_MAX = 200;
/** Parsed between two pauses: a few milliseconds. */
const TOKENS_PER_TURN = 20_000;
const CHARACTERS_PER_TURN = 100_000;

export class CsvTooLarge extends Error {}

/**
 * Returns all non-empty rows. Quoted cells may contain commas, quotes and line ends. Fails above the limit, and pauses
 * so that other requests are served meanwhile.
 */
export const parseCsv = async (text: string, rowsMax: number): Promise<CsvRow[]> => {
  const rows: CsvRow[] = [];
  const plain = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(plain);
  let tokensRead = 0;
  let pauseAt = CHARACTERS_PER_TURN;
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
    if (tokensRead % TOKENS_PER_TURN === 0 || index >= pauseAt) {
      await setImmediate();
      pauseAt = index + CHARACTERS_PER_TURN;
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
      // The quoted text is longer than a cell may be.
      if (token === '"' && plain.includes('"', index + 1)) throw new CsvTooLarge();
      content += token;
    }
    if (content.length > CELL_MAX) throw new CsvTooLarge();
  }
  endRow();
  return rows;
};
