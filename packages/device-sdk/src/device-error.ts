import { type DeviceCodeName, deviceCodeName, deviceCodes, isDeviceCodeName } from '@device-center/contract';

/**
 * An error response: received from the hub, or thrown by a handler of this device and sent to the hub. A device may use
 * a `code` of its own; `codeName` is then its digits.
 */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly code: number;
  readonly codeName: DeviceCodeName | (string & {});

  constructor(code: DeviceCodeName | number, message = '') {
    const codeName = typeof code === 'number' ? deviceCodeName(code) : code;
    super(message || (codeName ? deviceCodes[codeName].en_US : `Rejected with code ${code}`));
    this.codeName = codeName ?? String(code);
    this.code = typeof code === 'number' ? code : deviceCodes[code].number;
  }

  /** @deprecated Use `codeName`. */
  get word(): DeviceCodeName | (string & {}) {
    return this.codeName;
  }
}

/** HTTP responses carry the code's name. Names outside the device protocol map to the HTTP status. */
export const errorFromHttp = (codeName: string, status: number, message: string): DeviceError =>
  new DeviceError(isDeviceCodeName(codeName) ? codeName : status * 100, message || codeName);

/** Parses the reason string of an MQTT 5 CONNACK or DISCONNECT: the code's name, then its message. */
export const errorFromReason = (reason: string): DeviceError | null => {
  const codeName = /^[A-Z][A-Z0-9_]*/.exec(reason)?.[0] ?? '';
  return isDeviceCodeName(codeName) ? new DeviceError(codeName, reason) : null;
};

/** The client gave up on a message; the hub may or may not have stored it. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly reason: 'dropped' | 'stopped' | 'disconnected' | 'unanswered';

  constructor(reason: DeliveryError['reason']) {
    super(`message not delivered: ${reason}`);
    this.reason = reason;
  }
}

const codeSet = (...list: DeviceCodeName[]): ReadonlySet<string> => new Set(list);

const TOKEN = codeSet('TOKEN_INVALID', 'TOKEN_EXPIRED');
/** Errors that only an operator can resolve: the client retries slowly. */
const NEEDS_OPERATOR = codeSet(
  'BLACKLISTED',
  'KICKED',
  'APPLICATION_DISABLED',
  'TENANCY_CLOSED',
  'REGISTRATION_CLOSED',
  'MD5_FORBIDDEN',
  'SIGNATURE',
  'NOT_A_GATEWAY',
);
const RETRYABLE = codeSet('AWAY', 'TOO_MANY');

const isIn = (codes: ReadonlySet<string>) => (error: unknown) =>
  error instanceof DeviceError && codes.has(error.codeName);

export const isTokenError = isIn(TOKEN);
export const needsOperator = isIn(NEEDS_OPERATOR);
export const isRetryable = isIn(RETRYABLE);
export const isRateLimited = isIn(codeSet('TOO_MANY'));
/** Another gateway mounted the child, or an operator unmounted it. */
export const isChildError = isIn(codeSet('NOT_YOUR_CHILD'));
export const isClockError = isIn(codeSet('CLOCK'));
