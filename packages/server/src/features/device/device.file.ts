import {
  DEVICE_FILE_MAX_ROWS,
  deviceToRegister,
  issueText,
  type Language,
  type RefusedRow,
} from '@device-center/contract';
import { AppError } from '../../platform/app-error.ts';
import { csvText, parseCsv } from '../../platform/csv.ts';

const known = new Map(Object.keys(deviceToRegister.shape).map((name) => [name.toLowerCase(), name]));

export type FileRow = { index: number; fields: Record<string, unknown> };

/** Rows of a sheet of devices, each with its line; columns in any order, by their names in the first line. */
export const readDeviceFile = (bytes: Uint8Array, language: Language): { rows: FileRow[]; refused: RefusedRow[] } => {
  const [header, ...body] = parseCsv(csvText(bytes));
  if (body.length > DEVICE_FILE_MAX_ROWS) throw new AppError('TOO_LARGE', {}, 'file');
  const line = header?.line ?? 1;
  const refuse = (field: string, message: string): RefusedRow => ({
    index: line,
    deviceId: '',
    field,
    message: issueText({ code: 'custom', message }, language),
  });

  const columns = (header?.cells ?? []).map((cell) => known.get(cell.toLowerCase()) ?? null);
  if (!columns.includes('deviceId')) return { rows: [], refused: [refuse('deviceId', 'REQUIRED')] };
  // Columns of other programs, such as those of an exported list, are not ours to judge.
  const rows = body.map(({ line: index, cells }) => ({
    index,
    fields: Object.fromEntries(columns.flatMap((name, place) => (name === null ? [] : [[name, cells[place] ?? '']]))),
  }));
  return { rows, refused: [] };
};
