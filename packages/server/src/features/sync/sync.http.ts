import {
  type Output,
  SYNC_COMPARE_MAX,
  SYNC_PROTOCOL,
  type SyncItem,
  type SyncItemKey,
  type SyncItemResult,
  syncDeliveryCalls,
  syncResults,
} from '@device-center/contract';
import { authorizationOf } from '../../platform/outbound/authorization.ts';
import { httpBase } from '../../platform/outbound/node-address.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { isKnownCode, problem, type Reason, SyncFailure } from './sync.reason.ts';
import type { SyncNode } from './sync.targets.ts';

type HttpClient = Pick<Outbound, 'requestHttp'>;
type SyncRequest = { method: 'GET' | 'POST'; path?: string; query?: string; body?: string };

const { path: PATH } = syncDeliveryCalls.deliverSync;
const { path: COMPARE_PATH } = syncDeliveryCalls.compareSync;
const TIMEOUT_MS = 15_000;
/** The answer to a preview contains whole models, and may be as large as its request. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;
const REASON_MAX = 200;
const IDENTITY_MAX = 64;

const authorization = (node: SyncNode): string => {
  const header = authorizationOf(node);
  if (header === undefined) throw new SyncFailure(problem('noApiKey'));
  return header;
};

type ResponseBody = { success?: unknown; code?: unknown; message?: unknown; data?: unknown };

const parseBody = (body: Buffer): ResponseBody | undefined => {
  try {
    const parsed = JSON.parse(body.toString()) as unknown;
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** Statuses that concern the content of a request, and not its sender. */
const CONTENT_STATUSES = [400, 413, 500];

/** Only the error of a hub is passed on: the content of any other answer may be confidential. */
const errorOf = (node: SyncNode, status: number, response: ResponseBody | undefined): Error => {
  const { code, message } = response ?? {};
  if (response?.success !== false || typeof code !== 'string' || typeof message !== 'string')
    return new NodeFailure('httpStatus', { status, reason: 'HTTP' });
  if (code === 'ZONE_NOT_FOUND') return new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
  const text = message.slice(0, REASON_MAX);
  const reason: Reason = isKnownCode(code)
    ? { code, params: {}, message: text }
    : { code: 'httpStatus', params: { status, reason: text } };
  return new SyncFailure(reason, CONTENT_STATUSES.includes(status));
};

const send = async (
  outbound: HttpClient,
  node: SyncNode,
  request: SyncRequest,
  signal?: AbortSignal,
): Promise<unknown> => {
  const { method, path = PATH, query = '', body } = request;
  const answer = await outbound.requestHttp({
    url: `${httpBase(node.address())}${path}${query}`,
    method,
    headers: {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      Authorization: authorization(node),
    },
    body,
    certificate: node.certificate,
    timeoutMs: TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
    signal,
  });
  const response = parseBody(answer.body);
  if (answer.status < 200 || answer.status > 299) throw errorOf(node, answer.status, response);
  if (response?.success !== true) throw new NodeFailure('protocol');
  return response.data;
};

type TargetInfo = Output<(typeof syncDeliveryCalls)['getSyncTarget']>;

/** The receiver behind a node. Other implementations may omit the tenant, the application and the comparison. */
export type Peer = Pick<TargetInfo, 'installationId' | 'tenancyId' | 'applicationId' | 'compareMax'>;

const shortText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, IDENTITY_MAX) : '');

/** Asks a node for its receiver. An unknown zone is an error before anything is sent. */
export const fetchPeer = async (outbound: HttpClient, node: SyncNode, signal?: AbortSignal): Promise<Peer> => {
  const query = node.zoneId === undefined ? '' : `?zoneId=${node.zoneId}`;
  const { protocol, installationId, zoneKnown, ...rest } = (await send(
    outbound,
    node,
    { method: 'GET', query },
    signal,
  )) as Partial<TargetInfo>;
  if (protocol !== SYNC_PROTOCOL || typeof installationId !== 'string') throw new NodeFailure('protocol');
  if (zoneKnown === 0) throw new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
  return {
    installationId: shortText(installationId),
    tenancyId: shortText(rest.tenancyId),
    applicationId: shortText(rest.applicationId),
    compareMax: Number.isInteger(rest.compareMax) ? Math.min(rest.compareMax ?? 0, SYNC_COMPARE_MAX) : 0,
  };
};

const isAnswer = (entry: unknown): entry is SyncItemResult => {
  const { id, result } = (entry ?? {}) as Partial<SyncItemResult>;
  return typeof id === 'string' && syncResults.some((known) => known === result);
};

/** The result of each item; an item without an answer was not processed. */
export const deliverHttp = async (
  outbound: HttpClient,
  node: SyncNode,
  delivery: { items: SyncItem[]; preview: 0 | 1; sender?: string },
  signal?: AbortSignal,
): Promise<Map<string, SyncItemResult>> => {
  const body = JSON.stringify({ ...(node.zoneId === undefined ? {} : { zoneId: node.zoneId }), ...delivery });
  const data = (await send(outbound, node, { method: 'POST', body }, signal)) as { results?: unknown };
  if (!Array.isArray(data?.results)) throw new NodeFailure('protocol');
  return new Map(data.results.filter(isAnswer).map((entry) => [entry.id, entry]));
};

/** The items that differ at the receiver. */
export const compareHttp = async (
  outbound: HttpClient,
  node: SyncNode,
  items: SyncItemKey[],
  signal?: AbortSignal,
): Promise<Map<string, SyncItemResult>> => {
  const request = { method: 'POST', path: COMPARE_PATH, body: JSON.stringify({ items }) } as const;
  const data = (await send(outbound, node, request, signal)) as { differing?: unknown };
  if (!Array.isArray(data?.differing)) throw new NodeFailure('protocol');
  return new Map(data.differing.filter(isAnswer).map((entry) => [entry.id, entry]));
};
