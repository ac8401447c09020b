import type { Peers } from './sync.deliver.ts';
import type { SyncTarget } from './sync.targets.ts';

/** Installation, tenant and application behind a node. */
type Identity = [installationId: string, tenancyId: string, applicationId: string];

/** Stands in a zone's row until the records of the previous receivers are reset. */
export const PEERS_CHANGING = 'changing';

/** Who receives at the HTTP nodes of a zone, as it is stored with its records. */
export const storedPeers = ({ nodes }: SyncTarget, peers: Peers): string =>
  JSON.stringify(
    nodes.flatMap(({ nodeId }): [string, Identity][] => {
      const peer = peers.get(nodeId);
      return peer ? [[nodeId, [peer.installationId, peer.tenancyId, peer.applicationId]]] : [];
    }),
  );

const read = (stored: string) => new Map(JSON.parse(stored) as [string, Identity][]);

/** What a receiver does not tell of itself says nothing. */
const isOther = (before: Identity, now: Identity): boolean =>
  before.some((part, index) => part !== '' && now[index] !== '' && part !== now[index]);

/** Whether a node leads elsewhere than what was delivered to it. */
export const leadElsewhere = (before: string, now: string): boolean => {
  if (before === '' || before === now) return false;
  if (before === PEERS_CHANGING) return true;
  const known = read(before);
  return [...read(now)].some(([nodeId, identity]) => {
    const was = known.get(nodeId);
    return was !== undefined && isOther(was, identity);
  });
};
