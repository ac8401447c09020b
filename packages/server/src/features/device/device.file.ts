import {
  DEVICE_FILE_MAX_ROWS,
  deviceToRegister,
  issueText,
  type Language,
  type RejectedRow,
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

/** Reads the rows of a device sheet with their line numbers. The first line names the columns, in any order. */
export const readDeviceFile = async (
  bytes: Uint8Array,
  language: Language,
): Promise<{ rows: FileRow[]; refused: RejectedRow[] }> => {
  const [header, ...body] = await parse(bytes);
  const line = header?.line ?? 1;
  const headerError = (field: string, message: string): RejectedRow => ({
    index: line,
    deviceId: '',
    field,
    message: issueText({ code: 'custom', message }, language),
  });

  const columns = (header?.cells ?? []).map((cell) => known.get(cell.toLowerCase()) ?? null);
  if (!columns.includes('deviceId')) return { rows: [], refused: [headerError('deviceId', 'NO_COLUMN')] };
  const repeated = columns.find((name, index) => name !== null && columns.indexOf(name) < index);
  if (repeated) return { rows: [], refused: [headerError(repeated, 'DUPLICATE')] };
  // Unknown columns, such as those of an exported list, are ignored.
  const rows = body.map(({ line: index, cells }) => ({
    index,
    fields: Object.fromEntries(
      columns.flatMap((name, position) => (name === null ? [] : [[name, cells[position] ?? '']])),
    ),
  }));
  return { rows, refused: [] };
};
