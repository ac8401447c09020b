import { downloadBlob } from './download.ts';

const quotedCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Prefixes text that a spreadsheet would evaluate as a formula. */
export const escapeFormula = (cell: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell);

/** CSV with a byte order mark, which spreadsheets need to detect UTF-8. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(quotedCell).join(',')}\r\n`).join('')}`;

export const downloadCsv = (filename: string, rows: readonly (readonly string[])[]): void =>
  downloadBlob(filename, new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
