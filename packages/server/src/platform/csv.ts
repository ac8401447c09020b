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

/** Spreadsheets in China save GB 18030 unless told otherwise; what is not UTF-8 is read as that. */
export const csvText = (bytes: Uint8Array): string => {
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

const TOKEN = /"((?:[^"]|"")*)"|[^",\r\n]+|,|\r\n|\n|\r|"/g;

/** Every row that has anything in it. Quoted cells may hold commas, quotes and line ends. */
export const parseCsv = (text: string): CsvRow[] => {
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let content = '';
  let at = 1;

  const endRow = (): void => {
    row.cells.push(content.trim());
    if (row.cells.some((value) => value !== '')) rows.push(row);
    content = '';
    row = { line: at, cells: [] };
  };

  for (const [token, quoted] of text.replace(/^\uFEFF/, '').matchAll(TOKEN)) {
    if (token === ',') {
      row.cells.push(content.trim());
      content = '';
    } else if (token === '\n' || token === '\r' || token === '\r\n') {
      at += 1;
      endRow();
    } else if (quoted !== undefined) {
      content += quoted.replaceAll('""', '"');
      at += quoted.match(/\r\n|\n|\r/g)?.length ?? 0;
    } else content += token;
  }
  endRow();
  return rows;
};
