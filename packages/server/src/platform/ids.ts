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

/** 16 characters: a time prefix, so that indexes stay dense, and 7 random ones. */
export const newId = (): string => {
  const random = Array.from(randomBytes(7), (byte) => ALPHABET[byte % 32]).join('');
  return encode(Date.now(), 9) + random;
};

const ID = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** Whether the id has the form of `newId`. */
export const isNewId = (id: string): boolean => ID.test(id);

/** Creation time of an id; 0 if it is not of this form. */
export const timeOfId = (id: string): number =>
  isNewId(id) ? [...id.slice(0, 9)].reduce((time, sign) => time * 32 + ALPHABET.indexOf(sign), 0) : 0;

/** An opaque bearer token: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const newCode = (): string => String(randomInt(0, 1_000_000)).padStart(6, '0');

/** Tokens are stored as digests only. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

// Without characters that are easily confused when typed from a mail.
const PASSWORD_SETS = ['abcdefghjkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'];

/** A one-time password that satisfies the password rule. */
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
/** Each process has a worker id, the low part of its numbers, so that no two processes create the same one. */
const WORKERS_PER_MILLISECOND = 64;
/** Worker id of processes that acquired none: they are alone, or create few numbers. */
const DEFAULT_WORKER_ID = 0;
let workerId = DEFAULT_WORKER_ID;
let lastNumber = 0;

/** Number of hub processes that can have a worker id at the same time. */
export const WORKER_IDS = WORKERS_PER_MILLISECOND - 1;
export const workerIdOf = (hubNo: number): number => 1 + (hubNo % WORKER_IDS);

/** Sets the worker id of this process. */
export const useWorkerId = (hubNo: number): void => {
  workerId = workerIdOf(hubNo);
};

/** The next number will be above this one, even if the clock has been set back. */
export const continueSequenceAfter = (number: number): void => {
  lastNumber = Math.max(lastNumber, number);
};

/** An integer id that rises with time, strictly within a process; for records, commands and connections. */
export const nextSequenceId = (now: number = Date.now()): number => {
  const next = Math.max(
    now * PER_MILLISECOND,
    lastNumber - (lastNumber % WORKERS_PER_MILLISECOND) + WORKERS_PER_MILLISECOND,
  );
  lastNumber = next + workerId;
  return lastNumber;
};

/** The smallest number of that time: all earlier records are below it. */
export const firstSequenceIdAt = (time: number): number => time * PER_MILLISECOND;

/** Creation time of a number in ms; in a burst it may be slightly later than the request. */
export const timeOfSequenceId = (number: number): number => Math.floor(number / PER_MILLISECOND);
