import {
  type Envelope,
  envelope as envelopeSchema,
  PROTOCOL_VERSION,
  type SignMethod,
  signLogin,
  signMessage,
} from '@device-center/contract';
import { bytesOf, hashes } from './hashes.ts';

export type Signer = { secret: string; signMethod: SignMethod };

type Unsigned = Omit<Envelope, 'version' | 'signMethod' | 'length' | 'signature'>;

/** A whole message, signed. */
export const composeEnvelope = ({ secret, signMethod }: Signer, fields: Unsigned): Envelope => {
  const whole = { ...fields, version: PROTOCOL_VERSION, signMethod, length: bytesOf(fields.payload) };
  return { ...whole, signature: signMessage(hashes, signMethod, secret, whole) };
};

type LoginParts = {
  productId: string;
  deviceId: string;
  timestamp: number;
  nonce: string;
  mac?: string;
  deviceName?: string;
  versionNumber?: string;
};

/** The fields of a log-in, signed; those that are missing stay away. */
export const composeLogin = ({ secret, signMethod }: Signer, parts: LoginParts) => {
  const fields = { ...parts, signMethod };
  return { ...fields, signature: signLogin(hashes, signMethod, secret, fields) };
};

/** What came, or nothing where it is no message at all. */
export const readEnvelope = (text: string): Envelope | null => {
  try {
    return envelopeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

export const isSignedBy = ({ secret, signMethod }: Signer, message: Envelope): boolean =>
  message.signMethod === signMethod && message.signature === signMessage(hashes, signMethod, secret, message);

/** The payload of a message, or nothing where it is not JSON. */
export const readPayload = (message: Envelope): unknown => {
  try {
    return JSON.parse(message.payload);
  } catch {
    return undefined;
  }
};
