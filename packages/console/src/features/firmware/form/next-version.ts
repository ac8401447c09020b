import { VERSION_NUMBER_MAX } from '@device-center/contract';

const FIRST = '1.0.0';
const LAST_NUMBER = /\d+(?=\D*$)/;

const raise = (digits: string): string => String(BigInt(digits) + 1n).padStart(digits.length, '0');

/** The number after the newest of a product: its last part of digits raised by one. Undefined where it has none. */
export const nextVersion = (newestFirst: readonly string[]): string | undefined => {
  const [newest] = newestFirst;
  if (newest === undefined) return FIRST;
  if (!LAST_NUMBER.test(newest)) return undefined;
  let next = newest.replace(LAST_NUMBER, raise);
  while (newestFirst.includes(next)) next = next.replace(LAST_NUMBER, raise);
  return next.length > VERSION_NUMBER_MAX ? undefined : next;
};
