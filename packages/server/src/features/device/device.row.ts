import {
  type DeviceFacts,
  deviceLengths,
  deviceToRegister,
  errorText,
  fieldErrors,
  fieldTexts,
  fill,
  forEachFact,
  type Language,
} from '@device-center/contract';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';

export type NewDevice = DeviceFacts & { deviceId: string; deviceName: string; applicationId: string };
export type Refuse = (field: string, message: string) => void;
/** Of a row's own application, or else of the one meant for all. */
export type FindApplication = (own: string | undefined) => Promise<string>;

type Described = z.output<typeof deviceToRegister>;

/** Without a name it is called by its id; of what is not told nothing is known. */
export const withFacts = ({ deviceId, deviceName = deviceId, ...told }: Described) => ({
  deviceId,
  deviceName,
  ...forEachFact((fact) => told[fact] ?? ''),
});

const isField = (field: string): field is keyof typeof deviceLengths => field in deviceLengths;

/** In a sheet nobody sees that a value goes on beyond its cell. */
const withLength = (row: unknown, field: string, rule: string, language: Language): string => {
  const value = isField(field) ? (row as Record<string, unknown>)[field] : undefined;
  const length = typeof value === 'string' ? [...value].length : 0;
  const max = isField(field) ? deviceLengths[field] : undefined;
  return max === undefined || length <= max ? rule : fill(fieldTexts.TOO_LONG_BY[language], { length, rule });
};

/** One row of many: what is wrong with it is said of it alone. */
export const readRow = async (
  row: unknown,
  findApplication: FindApplication,
  language: Language,
  refuse: Refuse,
): Promise<NewDevice | null> => {
  const parsed = deviceToRegister.safeParse(row, { reportInput: true });
  if (!parsed.success) {
    for (const { field, message } of fieldErrors(parsed.error.issues, language))
      refuse(field, withLength(row, field, message, language));
    return null;
  }
  const named = withFacts(parsed.data);
  try {
    return { ...named, applicationId: await findApplication(parsed.data.applicationId) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refuse(error.field ?? '', errorText(error.code, language, error.params));
    return null;
  }
};
