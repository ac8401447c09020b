import {
  type Output,
  SYNC_COMPARE_MAX,
  SYNC_PROTOCOL,
  type SyncItem,
  type SyncItemAnswer,
  type SyncItemKey,
  syncDeliveryCalls,
  syncResults,
} from '@device-center/contract';
import { authorizationOf } from '../../platform/outbound/authorization.ts';
import { httpBase } from '../../platform/outbound/node-address.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outward } from '../../platform/outbound/outward.ts';
import { isKnownCode, problem, type Reason, SyncFailure } from './sync.reason.ts';
import type { SyncNode } from './sync.targets.ts';

type Ask = Pick<Outward, 'askHttp'>;
type Question = { method: 'GET' | 'POST'; path?: string; query?: string; body?: string };

const { path: PATH } = syncDeliveryCalls.deliverSync;
const { path: COMPARE_PATH } = syncDeliveryCalls.compareSync;
const WITHIN_MS = 15_000;
/** A preview of whole models may be as large as what was asked. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const REASON_MAX = 200;
const IDENTITY_MAX = 64;

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
  const { method, path = PATH, query = '', body } = question;
  const answer = await outward.askHttp({
    url: `${httpBase(node.address())}${path}${query}`,
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

/** Who receives what is sent to a node. Other makes may leave out the tenant, the application and the comparison. */
export type Peer = Pick<Target, 'installationId' | 'tenancyId' | 'applicationId' | 'compareMax'>;

const shortText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, IDENTITY_MAX) : '');

/** Asks who receives. An unknown zone is an error before anything is sent. */
export const whoIs = async (outward: Ask, node: SyncNode, signal?: AbortSignal): Promise<Peer> => {
  const query = node.zoneId === undefined ? '' : `?zoneId=${node.zoneId}`;
  const { protocol, installationId, zoneKnown, ...rest } = (await ask(
    outward,
    node,
    { method: 'GET', query },
    signal,
  )) as Partial<Target>;
  if (protocol !== SYNC_PROTOCOL || typeof installationId !== 'string') throw new NodeFailure('protocol');
  if (zoneKnown === 0) throw new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
  return {
    installationId: shortText(installationId),
    tenancyId: shortText(rest.tenancyId),
    applicationId: shortText(rest.applicationId),
    compareMax: Number.isInteger(rest.compareMax) ? Math.min(rest.compareMax ?? 0, SYNC_COMPARE_MAX) : 0,
  };
};

const isAnswer = (entry: unknown): entry is SyncItemAnswer => {
  const { id, result } = (entry ?? {}) as Partial<SyncItemAnswer>;
  return typeof id === 'string' && syncResults.some((known) => known === result);
};

/** What became of each; one that is not named was not judged. */
export const deliverHttp = async (
  outward: Ask,
  node: SyncNode,
  delivery: { items: SyncItem[]; preview: 0 | 1; sender?: string },
  signal?: AbortSignal,
): Promise<Map<string, SyncItemAnswer>> => {
  const body = JSON.stringify({ ...(node.zoneId === undefined ? {} : { zoneId: node.zoneId }), ...delivery });
  const data = (await ask(outward, node, { method: 'POST', body }, signal)) as { results?: unknown };
  if (!Array.isArray(data?.results)) throw new NodeFailure('protocol');
  return new Map(data.results.filter(isAnswer).map((entry) => [entry.id, entry]));
};

/** What is not the same there, of the items that are named. */
export const compareHttp = async (
  outward: Ask,
  node: SyncNode,
  items: SyncItemKey[],
  signal?: AbortSignal,
): Promise<Map<string, SyncItemAnswer>> => {
  const question = { method: 'POST', path: COMPARE_PATH, body: JSON.stringify({ items }) } as const;
  const data = (await ask(outward, node, question, signal)) as { differing?: unknown };
  if (!Array.isArray(data?.differing)) throw new NodeFailure('protocol');
  return new Map(data.differing.filter(isAnswer).map((entry) => [entry.id, entry]));
};
