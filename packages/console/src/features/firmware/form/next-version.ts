import { VERSION_NUMBER_MAX } from '@device-center/contract';

const FIRST = '1.0.0';
const LAST_NUMBER = /\d+(?=\D*$)/;

const increment = (digits: string): string => String(BigInt(digits) + 1n).padStart(digits.length, '0');

/** The newest version number with its last group of digits incremented. Undefined without digits, or if too long. */
export const nextVersion = (newestFirst: readonly string[]): string | undefined => {
  const [newest] = newestFirst;
  if (newest === undefined) return FIRST;
  if (!LAST_NUMBER.test(newest)) return undefined;
  let next = newest.replace(LAST_NUMBER, increment);
  while (newestFirst.includes(next)) next = next.replace(LAST_NUMBER, increment);
  return next.length > VERSION_NUMBER_MAX ? undefined : next;
};
