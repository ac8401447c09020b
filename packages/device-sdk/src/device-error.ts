import { type DeviceCodeName, deviceCodeName, deviceCodes, isDeviceCodeName } from '@device-center/contract';

/**
 * A no with its code: from the hub to this device, or thrown by a handler of this device to the hub. `code` may be a
 * number of the device's own; `word` is then its digits.
 */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly code: number;
  readonly word: DeviceCodeName | (string & {});

  constructor(code: DeviceCodeName | number, message = '') {
    const word = typeof code === 'number' ? deviceCodeName(code) : code;
    super(message || (word ? deviceCodes[word].en_US : `Refused with ${code}`));
    this.word = word ?? String(code);
    this.code = typeof code === 'number' ? code : deviceCodes[code].number;
  }
}

/** Of HTTP, where the word travels; one that is not a device's code keeps its HTTP status. */
export const refusalOf = (word: string, status: number, message: string): DeviceError =>
  new DeviceError(isDeviceCodeName(word) ? word : status * 100, message || word);

/** Of CONNACK and DISCONNECT in MQTT 5: the word, then its sentence. */
export const refusalInWords = (reason: string): DeviceError | null => {
  const word = /^[A-Z][A-Z0-9_]*/.exec(reason)?.[0] ?? '';
  return isDeviceCodeName(word) ? new DeviceError(word, reason) : null;
};

/** A message that has no answer from the hub, and will not get one. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly reason: 'dropped' | 'stopped' | 'disconnected' | 'unanswered';

  constructor(reason: DeliveryError['reason']) {
    super(`The message was not delivered: ${reason}`);
    this.reason = reason;
  }
}

const words = (...list: DeviceCodeName[]): ReadonlySet<string> => new Set(list);

const TOKEN = words('TOKEN_INVALID', 'TOKEN_EXPIRED');
/** Somebody must act before these change, so asking often helps nobody. */
const NEEDS_SOMEBODY = words(
  'BLACKLISTED',
  'KICKED',
  'APPLICATION_DISABLED',
  'TENANCY_CLOSED',
  'REGISTRATION_CLOSED',
  'MD5_FORBIDDEN',
  'SIGNATURE',
  'NOT_A_GATEWAY',
);
const LATER = words('AWAY', 'TOO_MANY');

const isOf = (list: ReadonlySet<string>) => (error: unknown) => error instanceof DeviceError && list.has(error.word);

export const isTokenRefusal = isOf(TOKEN);
export const needsOperator = isOf(NEEDS_SOMEBODY);
export const isRetryable = isOf(LATER);
export const isRateLimited = isOf(words('TOO_MANY'));
/** Mounted elsewhere, or unmounted by somebody. */
export const isChildRefusal = isOf(words('NOT_YOUR_CHILD'));
export const isClockRefusal = isOf(words('CLOCK'));
