import type { NodeSecrets } from '../../db/zone-nodes.ts';
import { authorizationOf } from '../../platform/outbound/authorization.ts';
import { httpBase, type NodeAddress } from '../../platform/outbound/node-address.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outward } from '../../platform/outbound/outward.ts';

export type HttpNode = NodeSecrets & {
  address: NodeAddress;
  username: string;
  /** What the zone is called at another platform. */
  zoneId: number | undefined;
};

export const ASK_WITHIN_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const SYNC_PATH = '/api/bucket/sync';

/** Another hub says so; whatever else may be there says nothing of the kind. */
const saysNoZone = (body: Buffer): boolean => {
  try {
    return (JSON.parse(body.toString()) as { data?: { zoneKnown?: unknown } } | null)?.data?.zoneKnown === 0;
  } catch {
    return false;
  }
};

/** Asks where synchronisation would send. Answers the status; whatever is wrong is thrown as a node's problem. */
export const askHttpNode = async (
  outward: Pick<Outward, 'askHttp'>,
  node: HttpNode,
  signal?: AbortSignal,
): Promise<number> => {
  const authorization = authorizationOf(node);
  const { status, body } = await outward.askHttp({
    url: `${httpBase(node.address)}${SYNC_PATH}${node.zoneId === undefined ? '' : `?zoneId=${node.zoneId}`}`,
    method: 'GET',
    headers: { Accept: 'application/json', ...(authorization ? { Authorization: authorization } : {}) },
    certificate: node.certificate,
    timeoutMs: ASK_WITHIN_MS,
    maxBytes: ANSWER_MAX_BYTES,
    signal,
  });
  if (status === 401 && !authorization) throw new NodeFailure('keyMissing');
  // Nothing of its contents is answered: the caller must not read other machines' pages.
  if (status < 200 || status > 299) throw new NodeFailure('httpStatus', { status });
  if (saysNoZone(body)) throw new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
  return status;
};
