import { timingSafeEqual } from 'node:crypto';
import {
  type DeviceCodeName,
  type Envelope,
  isDataId,
  isMessageType,
  MESSAGE_MAX_BYTES,
  MOCK_TENANT,
  PROTOCOL_VERSION,
  readEnvelope,
  signMessage,
} from '@device-center/contract';
import { hashes } from '../../platform/hashes.ts';
import { digest } from '../../platform/ids.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';

export type AuthenticationResult =
  | { ok: true; envelope: Envelope; session: DeviceSession }
  | {
      ok: false;
      codeName: DeviceCodeName;
      detail: string;
      request: { type: number; dataId: string };
      session: DeviceSession;
    };

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
};

/** Reads type and dataId of a malformed message as far as possible, so that the error response names them. */
const requestIn = (value: unknown): { type: number; dataId: string } => {
  const { type, dataId } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const known = typeof dataId === 'string' || typeof dataId === 'number' ? String(dataId) : '';
  return { type: Number.isInteger(type) ? (type as number) : 0, dataId: isDataId(known) ? known : '0' };
};

const tokenProblem = (
  session: DeviceSession,
  token: string,
  allowConnectToken: boolean,
): DeviceCodeName | undefined => {
  const now = Date.now();
  if (token === '') return 'TOKEN_INVALID';
  if (token === session.knownToken && now < session.tokenExpiresAt) return undefined;
  const hash = digest(token);
  if (allowConnectToken && hash === session.firstTokenHash) return undefined;
  if (hash === session.tokenHash) {
    if (now >= session.tokenExpiresAt) return 'TOKEN_EXPIRED';
    session.knownToken = token;
    return undefined;
  }
  if (hash !== session.oldTokenHash) return 'TOKEN_INVALID';
  return now < session.oldTokenExpiresAt ? undefined : 'TOKEN_EXPIRED';
};

export const isTokenValid = (session: DeviceSession, token: string): boolean =>
  tokenProblem(session, token, false) === undefined;

const isSignatureValid = (envelope: Envelope, secret: string): boolean => {
  const expected = Buffer.from(signMessage(hashes, envelope.signMethod, secret, envelope));
  const given = Buffer.from(envelope.signature.toLowerCase());
  return expected.length === given.length && timingSafeEqual(expected, given);
};

const problemOf = (
  envelope: Envelope,
  session: DeviceSession,
  allowConnectToken: boolean,
): [codeName: DeviceCodeName, detail: string] | undefined => {
  if (envelope.version !== PROTOCOL_VERSION) return ['VERSION', envelope.version];
  if (!isMessageType(envelope.type)) return ['TYPE', String(envelope.type)];
  if (envelope.length !== Buffer.byteLength(envelope.payload)) return ['LENGTH', String(envelope.length)];
  const mockTenant = session.mock === 1 && envelope.tenantId === MOCK_TENANT;
  if (envelope.tenantId !== session.tenancyId && !mockTenant) return ['WRONG_TENANT', envelope.tenantId];
  if (envelope.signMethod !== session.signMethod)
    return ['SIGNATURE', `signed with ${envelope.signMethod}, logged in with ${session.signMethod}`];
  const token = tokenProblem(session, envelope.token, allowConnectToken);
  if (token) return [token, ''];
  if (!isSignatureValid(envelope, session.secret)) return ['SIGNATURE', ''];
  if (envelope.sessionId !== session.sessionId && !session.previousSessions.has(envelope.sessionId))
    return ['TOKEN_INVALID', 'unknown sessionId'];
  return undefined;
};

/**
 * Authenticates a message as one of the connection's device or of a child behind it. `allowConnectToken` also accepts
 * the token of the CONNECT: a last will was signed with it, although it may have been refreshed since.
 */
export const authenticateMessage = (
  connection: DeviceConnection,
  bytes: Buffer,
  allowConnectToken = false,
): AuthenticationResult => {
  const rejected = (
    codeName: DeviceCodeName,
    detail: string,
    value: unknown,
    session: DeviceSession = connection,
  ): AuthenticationResult => ({
    ok: false,
    codeName,
    detail,
    request: requestIn(value),
    session,
  });
  if (bytes.length > MESSAGE_MAX_BYTES) return rejected('TOO_LARGE', `${bytes.length} bytes`, undefined);
  const value = parseJson(bytes);
  const envelope = readEnvelope(value);
  if ('wrong' in envelope) return rejected('MALFORMED', envelope.wrong, value);
  const session = envelope.deviceId === connection.deviceId ? connection : connection.children.get(envelope.deviceId);
  if (!session) return rejected('NOT_YOUR_CHILD', envelope.deviceId, value);
  const problem = problemOf(envelope, session, allowConnectToken);
  if (problem) return rejected(...problem, value, session);
  return { ok: true, envelope, session };
};
