import {
  DEVICE_FILE_MAX_ROWS,
  deviceToRegister,
  issueText,
  type Language,
  type RefusedRow,
} from '@device-center/contract';
import { AppError } from '../../platform/app-error.ts';
import { type CsvRow, CsvTooLarge, csvText, parseCsv } from '../../platform/csv.ts';

const known = new Map(Object.keys(deviceToRegister.shape).map((name) => [name.toLowerCase(), name]));

export type FileRow = { index: number; fields: Record<string, unknown> };

const parse = async (bytes: Uint8Array): Promise<CsvRow[]> => {
  try {
    return await parseCsv(csvText(bytes), 1 + DEVICE_FILE_MAX_ROWS);
  } catch (error) {
    if (error instanceof CsvTooLarge) throw new AppError('TOO_LARGE', {}, 'file');
    throw error;
  }
};

/** Rows of a sheet of devices, each with its line; columns in any order, by their names in the first line. */
export const readDeviceFile = async (
  bytes: Uint8Array,
  language: Language,
): Promise<{ rows: FileRow[]; refused: RefusedRow[] }> => {
  const [header, ...body] = await parse(bytes);
  const line = header?.line ?? 1;
  const refuse = (field: string, message: string): RefusedRow => ({
    index: line,
    deviceId: '',
    field,
    message: issueText({ code: 'custom', message }, language),
  });

  const columns = (header?.cells ?? []).map((cell) => known.get(cell.toLowerCase()) ?? null);
  if (!columns.includes('deviceId')) return { rows: [], refused: [refuse('deviceId', 'NO_COLUMN')] };
  const repeated = columns.find((name, place) => name !== null && columns.indexOf(name) < place);
  if (repeated) return { rows: [], refused: [refuse(repeated, 'DUPLICATE')] };
  // Columns of other programs, such as those of an exported list, are not ours to judge.
  const rows = body.map(({ line: index, cells }) => ({
    index,
    fields: Object.fromEntries(columns.flatMap((name, place) => (name === null ? [] : [[name, cells[place] ?? '']]))),
  }));
  return { rows, refused: [] };
};
