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

const ID = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** Whether it could be one that `newId` gave. */
export const isNewId = (id: string): boolean => ID.test(id);

/** When an id was given; 0 for one that is not of this kind. */
export const timeOfId = (id: string): number =>
  isNewId(id) ? [...id.slice(0, 9)].reduce((time, sign) => time * 32 + ALPHABET.indexOf(sign), 0) : 0;

/** An opaque secret for a bearer: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');

/** Tokens are kept as digests only. */
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
/** Each process has a lane of its own among the numbers of a millisecond, so that no two ever give the same one. */
const LANES = 64;
/** Of those who have asked for none: they are alone, or give few numbers. */
const COMMON_LANE = 0;
let lane = COMMON_LANE;
let lastNumber = 0;

/** How many hubs' processes can have a lane at the same time. */
export const LANES_GIVEN = LANES - 1;
export const workerIdOf = (hubNo: number): number => 1 + (hubNo % LANES_GIVEN);

/** From here on this process gives numbers of its hub's lane. */
export const takeLane = (hubNo: number): void => {
  lane = workerIdOf(hubNo);
};

/** The next number is above this one, whatever the clock says. */
export const continueNumbersAfter = (number: number): void => {
  lastNumber = Math.max(lastNumber, number);
};

/** A whole number that rises with time, within a process strictly: a record's, command's or connection's own. */
export const nextSequenceId = (now: number = Date.now()): number => {
  const next = Math.max(now * PER_MILLISECOND, lastNumber - (lastNumber % LANES) + LANES);
  lastNumber = next + lane;
  return lastNumber;
};

/** The smallest number of that time: all earlier records are below it. */
export const firstNumberAt = (time: number): number => time * PER_MILLISECOND;

/** When a number was given, to the millisecond: where many come at once, that may be a little after it was asked for. */
export const timeOfNumber = (number: number): number => Math.floor(number / PER_MILLISECOND);
