import type { Language } from '@device-center/contract';
import { AppError } from '../platform/app-error.ts';
import type { SecretBox } from '../platform/secret-box.ts';

/** By its table and what it is known by there an operator finds it; also in the log. */
const damaged = (cause: unknown, table: string, id: string | number): AppError => {
  const row = `${table} ${id}`;
  return Object.assign(new AppError('DATA_CORRUPTED', { row }), { message: `DATA_CORRUPTED: ${row}`, cause });
};

/** What a column holds as JSON. One that does not parse is told by its row, and not as a fault of nobody knows what. */
export const storedJson = <Value = unknown>(text: string, table: string, id: string | number): Value => {
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    throw damaged(error, table, id);
  }
};

/** The same of what is sealed. */
export const storedSecret = (
  secrets: Pick<SecretBox, 'open'>,
  sealed: string,
  table: string,
  id: string | number,
): string => {
  try {
    return secrets.open(sealed);
  } catch (error) {
    throw damaged(error, table, id);
  }
};

/** The name of a stored number; one that has none is shown as it is, so that a list goes on with the other rows. */
export const storedName = (
  names: Readonly<Record<number, Readonly<Record<Language, string>>>>,
  value: number,
  language: Language,
): string => names[value]?.[language] ?? String(value);
