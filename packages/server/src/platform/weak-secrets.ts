import { containsAccount, fields } from '@device-center/contract';
import type { Settings } from './settings.ts';

const KEY_LENGTH_MIN = 16;
/** A key with a shorter period is too weak. */
const PERIOD_MIN = 8;

/** Whether the text repeats a short pattern, such as `aaaa…` or `123123…`. */
const isRepeated = (text: string): boolean =>
  Array.from({ length: PERIOD_MIN - 1 }, (_, index) => index + 1).some((period) =>
    [...text].every((sign, place) => sign === text[place % period]),
  );

/** Messages about settings that are too easily guessed. `account`: the account whose password is ADMIN_PASSWORD. */
export const weakSecrets = (
  { ADMIN_PASSWORD, SECRET_KEY }: Pick<Settings, 'ADMIN_PASSWORD' | 'SECRET_KEY'>,
  account: string,
): string[] => {
  const weak: string[] = [];
  if (SECRET_KEY !== undefined && SECRET_KEY.length < KEY_LENGTH_MIN)
    weak.push(
      `SECRET_KEY: too short; set at least ${KEY_LENGTH_MIN} random characters, such as openssl rand -base64 32`,
    );
  else if (SECRET_KEY !== undefined && isRepeated(SECRET_KEY))
    weak.push('SECRET_KEY: repeats a short pattern; set random characters, such as openssl rand -base64 32');
  if (
    ADMIN_PASSWORD !== undefined &&
    (!fields.password().safeParse(ADMIN_PASSWORD).success || containsAccount(ADMIN_PASSWORD, account))
  )
    weak.push(
      `ADMIN_PASSWORD: too weak; set 8 to 20 characters of at least two kinds (letters, digits, signs), without "${account}"`,
    );
  return weak;
};
