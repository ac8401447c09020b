import {
  type Output,
  SYNC_PROTOCOL,
  type SyncItem,
  type SyncItemAnswer,
  syncDeliveryCalls,
  syncResults,
} from '@device-center/contract';
import { authorizationOf } from '../../platform/outward/authorization.ts';
import { httpBase } from '../../platform/outward/node-address.ts';
import { NodeFailure } from '../../platform/outward/node-failure.ts';
import type { Outward } from '../../platform/outward/outward.ts';
import { isKnownCode, problem, type Reason, SyncFailure } from './sync.reason.ts';
import type { SyncNode } from './sync.targets.ts';

type Ask = Pick<Outward, 'askHttp'>;
type Question = { method: 'GET' | 'POST'; query?: string; body?: string };

const { path: PATH } = syncDeliveryCalls.deliverSync;
const WITHIN_MS = 15_000;
/** A preview of whole models may be as large as what was asked. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const REASON_MAX = 200;

const authorization = (node: SyncNode): string => {
  const known = authorizationOf(node);
  if (known === undefined) throw new SyncFailure(problem('noApiKey'));
  return known;
};

type Envelope = { success?: unknown; code?: unknown; message?: unknown; data?: unknown };

const readEnvelope = (body: Buffer): Envelope | undefined => {
  try {
    const parsed = JSON.parse(body.toString()) as unknown;
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** Answers to what was sent, and not to who sent it. */
const OF_CONTENT = [400, 413, 500];

/** Only what a hub says is told on: whatever else stands there is not for the reader's eyes. */
const refusalOf = (node: SyncNode, status: number, envelope: Envelope | undefined): Error => {
  const { code, message } = envelope ?? {};
  if (envelope?.success !== false || typeof code !== 'string' || typeof message !== 'string')
    return new NodeFailure('httpStatus', { status, reason: 'HTTP' });
  if (code === 'ZONE_NOT_FOUND') return new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
  const said = message.slice(0, REASON_MAX);
  const reason: Reason = isKnownCode(code)
    ? { code, params: {}, message: said }
    : { code: 'httpStatus', params: { status, reason: said } };
  return new SyncFailure(reason, OF_CONTENT.includes(status));
};

const ask = async (outward: Ask, node: SyncNode, question: Question, signal?: AbortSignal): Promise<unknown> => {
  const { method, query = '', body } = question;
  const answer = await outward.askHttp({
    url: `${httpBase(node.address())}${PATH}${query}`,
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      Authorization: authorization(node),
    },
    body,
    certificate: node.certificate,
    timeoutMs: WITHIN_MS,
    maxBytes: ANSWER_MAX_BYTES,
    signal,
  });
  const envelope = readEnvelope(answer.body);
  if (answer.status < 200 || answer.status > 299) throw refusalOf(node, answer.status, envelope);
  if (envelope?.success !== true) throw new NodeFailure('protocol');
  return envelope.data;
};

type Target = Output<(typeof syncDeliveryCalls)['getSyncTarget']>;

/** Who is there. A zone that is not known there is told before anything is sent. */
export const whoIs = async (outward: Ask, node: SyncNode, signal?: AbortSignal): Promise<string> => {
  const query = node.zoneId === undefined ? '' : `?zoneId=${node.zoneId}`;
  const { protocol, installationId, zoneKnown } = (await ask(
    outward,
    node,
    { method: 'GET', query },
    signal,
  )) as Partial<Target>;
  if (protocol !== SYNC_PROTOCOL || typeof installationId !== 'string') throw new NodeFailure('protocol');
  if (zoneKnown === 0) throw new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
  return installationId;
};

const isAnswer = (entry: unknown): entry is SyncItemAnswer => {
  const { id, result } = (entry ?? {}) as Partial<SyncItemAnswer>;
  return typeof id === 'string' && syncResults.some((known) => known === result);
};

/** What became of each; one that is not named was not judged. */
export const deliverHttp = async (
  outward: Ask,
  node: SyncNode,
  items: SyncItem[],
  preview: 0 | 1,
  signal?: AbortSignal,
): Promise<Map<string, SyncItemAnswer>> => {
  const body = JSON.stringify({ ...(node.zoneId === undefined ? {} : { zoneId: node.zoneId }), preview, items });
  const data = (await ask(outward, node, { method: 'POST', body }, signal)) as { results?: unknown };
  if (!Array.isArray(data?.results)) throw new NodeFailure('protocol');
  return new Map(data.results.filter(isAnswer).map((entry) => [entry.id, entry]));
};
