import { downloadBlob } from './download.ts';

const quotedCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Text that somebody typed and a spreadsheet would take for a formula becomes text again. */
export const harmless = (cell: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell);

/** With the mark that spreadsheets need to read Chinese. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(quotedCell).join(',')}\r\n`).join('')}`;

export const downloadCsv = (filename: string, rows: readonly (readonly string[])[]): void =>
  downloadBlob(filename, new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
