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

/** Completes and signs a message. */
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

/** Signs the fields of a login request; omits optional fields without a value. */
export const composeLogin = ({ secret, signMethod }: Signer, parts: LoginParts) => {
  const fields = { ...parts, signMethod };
  return { ...fields, signature: signLogin(hashes, signMethod, secret, fields) };
};

/** Parses a received message; null when it is not a valid envelope. */
export const readEnvelope = (text: string): Envelope | null => {
  try {
    return envelopeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

export const isSignedBy = ({ secret, signMethod }: Signer, message: Envelope): boolean =>
  message.signMethod === signMethod && message.signature === signMessage(hashes, signMethod, secret, message);

/** Parses the payload of a message; undefined when it is not JSON. */
export const readPayload = (message: Envelope): unknown => {
  try {
    return JSON.parse(message.payload);
  } catch {
    return undefined;
  }
};
