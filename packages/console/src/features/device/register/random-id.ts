// Without characters that are easily confused on a label.
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 16;

/** Not randomUUID: browsers offer it on https and localhost only, and a hub in a plant often has neither. */
export const randomDeviceId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
