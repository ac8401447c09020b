import type { NodeSecrets } from '../../domain/zone/nodes.ts';
import { authorizationOf } from '../../platform/outbound/authorization.ts';
import { httpBase, type NodeAddress } from '../../platform/outbound/node-address.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';

export type HttpNode = NodeSecrets & {
  address: NodeAddress;
  username: string;
  /** The zone's number on the other platform; undefined for an inner node. */
  zoneId: number | undefined;
};

export const NODE_TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const SYNC_PATH = '/api/bucket/sync';

/** Another hub reports an unknown zone in its answer; answers of other servers are ignored. */
const reportsUnknownZone = (body: Buffer): boolean => {
  try {
    return (JSON.parse(body.toString()) as { data?: { zoneKnown?: unknown } } | null)?.data?.zoneKnown === 0;
  } catch {
    return false;
  }
};

/** Requests the address that synchronisation uses. Returns the status; throws a NodeFailure for any problem. */
export const requestHttpNode = async (
  outbound: Pick<Outbound, 'requestHttp'>,
  node: HttpNode,
  signal?: AbortSignal,
): Promise<number> => {
  const authorization = authorizationOf(node);
  const { status, body } = await outbound.requestHttp({
    url: `${httpBase(node.address)}${SYNC_PATH}${node.zoneId === undefined ? '' : `?zoneId=${node.zoneId}`}`,
    method: 'GET',
    headers: { Accept: 'application/json', ...(authorization ? { Authorization: authorization } : {}) },
    certificate: node.certificate,
    timeoutMs: NODE_TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
    signal,
  });
  if (status === 401 && !authorization) throw new NodeFailure('keyMissing');
  // The body is not passed on: the caller must not read pages of other machines.
  if (status < 200 || status > 299) throw new NodeFailure('httpStatus', { status });
  if (reportsUnknownZone(body)) throw new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
  return status;
};
