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

export type Judged =
  | { ok: true; envelope: Envelope; speaker: DeviceSession }
  | {
      ok: false;
      word: DeviceCodeName;
      detail: string;
      request: { type: number; dataId: string };
      speaker: DeviceSession;
    };

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
};

/** What can be told of a message that is none, so that the refusal names it. */
const requestIn = (value: unknown): { type: number; dataId: string } => {
  const { type, dataId } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const known = typeof dataId === 'string' || typeof dataId === 'number' ? String(dataId) : '';
  return { type: Number.isInteger(type) ? (type as number) : 0, dataId: isDataId(known) ? known : '0' };
};

const tokenProblem = (speaker: DeviceSession, token: string, ofThen: boolean): DeviceCodeName | undefined => {
  const now = Date.now();
  if (token === '') return 'TOKEN_INVALID';
  if (token === speaker.knownToken && now < speaker.tokenExpiresAt) return undefined;
  const hash = digest(token);
  if (ofThen && hash === speaker.firstTokenHash) return undefined;
  if (hash === speaker.tokenHash) {
    if (now >= speaker.tokenExpiresAt) return 'TOKEN_EXPIRED';
    speaker.knownToken = token;
    return undefined;
  }
  if (hash !== speaker.oldTokenHash) return 'TOKEN_INVALID';
  return now < speaker.oldTokenExpiresAt ? undefined : 'TOKEN_EXPIRED';
};

export const isTokenValid = (speaker: DeviceSession, token: string): boolean =>
  tokenProblem(speaker, token, false) === undefined;

const signatureFits = (envelope: Envelope, secret: string): boolean => {
  const expected = Buffer.from(signMessage(hashes, envelope.signMethod, secret, envelope));
  const given = Buffer.from(envelope.signature.toLowerCase());
  return expected.length === given.length && timingSafeEqual(expected, given);
};

const problemOf = (
  envelope: Envelope,
  speaker: DeviceSession,
  ofThen: boolean,
): [word: DeviceCodeName, detail: string] | undefined => {
  if (envelope.version !== PROTOCOL_VERSION) return ['VERSION', envelope.version];
  if (!isMessageType(envelope.type)) return ['TYPE', String(envelope.type)];
  if (envelope.length !== Buffer.byteLength(envelope.payload)) return ['LENGTH', String(envelope.length)];
  const mockTenant = speaker.mock === 1 && envelope.tenantId === MOCK_TENANT;
  if (envelope.tenantId !== speaker.tenancyId && !mockTenant) return ['WRONG_TENANT', envelope.tenantId];
  if (envelope.signMethod !== speaker.signMethod)
    return ['SIGNATURE', `signed with ${envelope.signMethod}, logged in with ${speaker.signMethod}`];
  const token = tokenProblem(speaker, envelope.token, ofThen);
  if (token) return [token, ''];
  if (!signatureFits(envelope, speaker.secret)) return ['SIGNATURE', ''];
  if (envelope.sessionId !== speaker.sessionId && !speaker.earlierSessions.has(envelope.sessionId))
    return ['TOKEN_INVALID', 'unknown sessionId'];
  return undefined;
};

/** Whether these bytes are a message of whoever may speak on this connection; `ofThen`: with the token of before. */
export const authenticateMessage = (peer: DeviceConnection, bytes: Buffer, ofThen = false): Judged => {
  const refused = (word: DeviceCodeName, detail: string, value: unknown, speaker: DeviceSession = peer): Judged => ({
    ok: false,
    word,
    detail,
    request: requestIn(value),
    speaker,
  });
  if (bytes.length > MESSAGE_MAX_BYTES) return refused('TOO_LARGE', `${bytes.length} bytes`, undefined);
  const value = parseJson(bytes);
  const envelope = readEnvelope(value);
  if ('wrong' in envelope) return refused('MALFORMED', envelope.wrong, value);
  const speaker = envelope.deviceId === peer.deviceId ? peer : peer.children.get(envelope.deviceId);
  if (!speaker) return refused('NOT_YOUR_CHILD', envelope.deviceId, value);
  const problem = problemOf(envelope, speaker, ofThen);
  if (problem) return refused(...problem, value, speaker);
  return { ok: true, envelope, speaker };
};
