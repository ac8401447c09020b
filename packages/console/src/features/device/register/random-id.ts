// Without those that are mistaken for one another on a label.
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 16;

/** Not randomUUID: that is only there on https and localhost, and a hub in a plant often has neither. */
export const randomDeviceId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
