import { createHash, randomBytes, randomInt } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const encode = (value: number, length: number): string => {
  let rest = value;
  let out = '';
  for (let place = 0; place < length; place++) {
    out = ALPHABET[rest % 32] + out;
    rest = Math.floor(rest / 32);
  }
  return out;
};

/** 16 characters, rising with time so that indexes stay dense, the last 7 random. */
export const newId = (): string => {
  const random = Array.from(randomBytes(7), (byte) => ALPHABET[byte % 32]).join('');
  return encode(Date.now(), 9) + random;
};

/** An opaque secret for a bearer: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');

/** Tokens and codes are kept as digests only. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

// No characters that are mistaken for one another when typed from a mail.
const PASSWORD_SETS = ['abcdefghjkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'];

/** A one-time password that meets the password rule. */
export const newPassword = (): string => {
  const all = PASSWORD_SETS.join('');
  const pick = (set: string): string => set[randomInt(set.length)] ?? '';
  const characters = [...PASSWORD_SETS.map(pick), ...Array.from({ length: 11 }, () => pick(all))];
  for (let last = characters.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [characters[last], characters[other]] = [characters[other] ?? '', characters[last] ?? ''];
  }
  return characters.join('');
};

const LETTERS_AND_DIGITS = PASSWORD_SETS.join('');

const randomWord = (length: number): string =>
  Array.from({ length }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');

/** The product key: letters and digits, short enough to be typed into firmware. */
export const newProductId = (): string => randomWord(10);

/** A product's or device's secret: letters and digits, about 186 random bits. */
export const newSecret = (): string => randomWord(32);

const PER_MILLISECOND = 4_096;
let lastNumber = 0;

/**
 * A whole number that rises with time, within a process strictly: a record's, command's or connection's own. Its
 * lowest bits begin at random, so that two processes in the same millisecond seldom meet.
 */
export const newNumber = (now: number = Date.now()): number => {
  const start = now * PER_MILLISECOND;
  lastNumber = lastNumber >= start ? lastNumber + 1 : start + randomInt(PER_MILLISECOND / 4);
  return lastNumber;
};

/** The smallest number of that time: all earlier records are below it. */
export const firstNumberAt = (time: number): number => time * PER_MILLISECOND;

/** When a number was given, to the millisecond: where many come at once, that may be a little after it was asked for. */
export const timeOfNumber = (number: number): number => Math.floor(number / PER_MILLISECOND);
