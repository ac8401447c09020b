import {
  type DeviceAttributes,
  deviceLengths,
  deviceToRegister,
  errorText,
  fieldErrors,
  fieldTexts,
  fill,
  type Language,
  mapAttributes,
} from '@device-center/contract';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';

export type NewDevice = DeviceAttributes & { deviceId: string; deviceName: string; applicationId: string };
export type RejectField = (field: string, message: string) => void;
/** The application of a row, or else the one for all rows. */
export type FindApplication = (rowApplicationId: string | undefined) => Promise<string>;

type DeviceInput = z.output<typeof deviceToRegister>;

/** The default name is the ID; missing attributes are ''. */
export const withDefaults = ({ deviceId, deviceName = deviceId, ...attributes }: DeviceInput) => ({
  deviceId,
  deviceName,
  ...mapAttributes((fact) => attributes[fact] ?? ''),
});

const isField = (field: string): field is keyof typeof deviceLengths => field in deviceLengths;

/** Adds the length of a value that is too long, because a cell of a sheet may not show all of it. */
const withLength = (row: unknown, field: string, rule: string, language: Language): string => {
  const value = isField(field) ? (row as Record<string, unknown>)[field] : undefined;
  const length = typeof value === 'string' ? [...value].length : 0;
  const max = isField(field) ? deviceLengths[field] : undefined;
  return max === undefined || length <= max ? rule : fill(fieldTexts.TOO_LONG_BY[language], { length, rule });
};

/** Reads one of many rows; its errors are reported for this row only. */
export const readRow = async (
  row: unknown,
  findApplication: FindApplication,
  language: Language,
  reject: RejectField,
): Promise<NewDevice | null> => {
  const parsed = deviceToRegister.safeParse(row, { reportInput: true });
  if (!parsed.success) {
    for (const { field, message } of fieldErrors(parsed.error.issues, language))
      reject(field, withLength(row, field, message, language));
    return null;
  }
  const device = withDefaults(parsed.data);
  try {
    return { ...device, applicationId: await findApplication(parsed.data.applicationId) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    reject(error.field ?? '', errorText(error.code, language, error.params));
    return null;
  }
};
