import type { Peers } from './sync.deliver.ts';
import type { SyncTarget } from './sync.targets.ts';

/** The installation, tenant and application that a node delivers to. */
type Identity = [installationId: string, tenancyId: string, applicationId: string];

/** Stored in a zone's row until the records of the previous receivers are reset. */
export const PEERS_CHANGING = 'changing';

/** The receivers behind the HTTP nodes of a zone, as JSON for the zone's row. */
export const serializePeers = ({ nodes }: SyncTarget, peers: Peers): string =>
  JSON.stringify(
    nodes.flatMap(({ nodeId }): [string, Identity][] => {
      const peer = peers.get(nodeId);
      return peer ? [[nodeId, [peer.installationId, peer.tenancyId, peer.applicationId]]] : [];
    }),
  );

const parsePeers = (stored: string) => new Map(JSON.parse(stored) as [string, Identity][]);

/** Parts that a receiver does not report are not compared. */
const isDifferent = (before: Identity, now: Identity): boolean =>
  before.some((part, index) => part !== '' && now[index] !== '' && part !== now[index]);

/** Whether a node delivers to another receiver than before. */
export const havePeersChanged = (before: string, now: string): boolean => {
  if (before === '' || before === now) return false;
  if (before === PEERS_CHANGING) return true;
  const known = parsePeers(before);
  return [...parsePeers(now)].some(([nodeId, identity]) => {
    const was = known.get(nodeId);
    return was !== undefined && isDifferent(was, identity);
  });
};
