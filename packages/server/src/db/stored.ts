import type { Language } from '@device-center/contract';
import { AppError } from '../platform/app-error.ts';
import type { SecretBox } from '../platform/secret-box.ts';

/** The error and the log name the table and id, so that an operator finds the row. */
const corrupted = (cause: unknown, table: string, id: string | number): AppError => {
  const row = `${table} ${id}`;
  return Object.assign(new AppError('DATA_CORRUPTED', { row }), { message: `DATA_CORRUPTED: ${row}`, cause });
};

/** Parses a JSON column. An error names the row instead of being an unspecific internal error. */
export const storedJson = <Value = unknown>(text: string, table: string, id: string | number): Value => {
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    throw corrupted(error, table, id);
  }
};

/** Opens a sealed column, likewise. */
export const storedSecret = (
  secrets: Pick<SecretBox, 'open'>,
  sealed: string,
  table: string,
  id: string | number,
): string => {
  try {
    return secrets.open(sealed);
  } catch (error) {
    throw corrupted(error, table, id);
  }
};

/** The name of a stored number. An unknown number is shown as it is, so that it does not break the list. */
export const storedName = (
  names: Readonly<Record<number, Readonly<Record<Language, string>>>>,
  value: number,
  language: Language,
): string => names[value]?.[language] ?? String(value);
