/** Signature methods. md5 is supported for existing devices. */
export const signMethods = ['md5', 'hmacsha256'] as const;
export type SignMethod = (typeof signMethods)[number];

type Signable = Record<string, string | number | null | undefined>;

/** Hash functions with lower-case hex output; hub and device use different implementations. */
export type Hashes = {
  md5: (text: string) => string;
  sha256: (text: string) => string;
  hmacSha256: (secret: string, text: string) => string;
};

/**
 * The text to sign: all non-empty fields except `signature` as `name=value`, in ASCII order of the names, joined by LF,
 * without escaping.
 */
export const signingText = (fields: Signable): string => {
  const names = Object.keys(fields).filter((name) => {
    const value = fields[name];
    return name !== 'signature' && value !== undefined && value !== null && value !== '';
  });
  // The names are ASCII, so the order of UTF-16 units is the ASCII order.
  return names
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
};

const signText = (hashes: Hashes, method: SignMethod, secret: string, text: string): string =>
  method === 'md5' ? hashes.md5(`${text}\n${secret}`) : hashes.hmacSha256(secret, text);

/** Signature of a login request. */
export const signLogin = (hashes: Hashes, method: SignMethod, secret: string, fields: Signable): string =>
  signText(hashes, method, secret, signingText(fields));

type SignedMessage = {
  dataFlow: number;
  sessionId: string;
  tenantId: string;
  version: string;
  signMethod: string;
  token?: string;
  dataId: string;
  type: number;
  deviceId: string;
  length: number;
  payload: string;
  timestamp: number;
  code?: number | undefined;
  message?: string | undefined;
};

const line = (name: string, value: string | number | undefined): string =>
  value === undefined || value === '' ? '' : `\n${name}=${value}`;

/** Equivalent to signingText for an envelope, without sorting the names. */
const messageText = (fields: SignedMessage, payloadDigest: string): string => {
  const text =
    line('code', fields.code) +
    line('dataFlow', fields.dataFlow) +
    line('dataId', fields.dataId) +
    line('deviceId', fields.deviceId) +
    line('length', fields.length) +
    line('message', fields.message) +
    line('payload', payloadDigest) +
    line('sessionId', fields.sessionId) +
    line('signMethod', fields.signMethod) +
    line('tenantId', fields.tenantId) +
    line('timestamp', fields.timestamp) +
    line('token', fields.token) +
    line('type', fields.type) +
    line('version', fields.version);
  return text.slice(1);
};

/** Signature of a message. Includes the digest of the payload, so that a long payload is hashed only once. */
export const signMessage = (hashes: Hashes, method: SignMethod, secret: string, fields: SignedMessage): string => {
  const digest = method === 'md5' ? hashes.md5 : hashes.sha256;
  return signText(hashes, method, secret, messageText(fields, fields.payload === '' ? '' : digest(fields.payload)));
};
