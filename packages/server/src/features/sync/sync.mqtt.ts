import type { SyncItem } from '@device-center/contract';
import type { Broker } from '../../mqtt/broker-client.ts';
import { connectBroker } from '../../mqtt/connect-broker.ts';
import { newId } from '../../platform/ids.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { SyncNode } from './sync.targets.ts';

type SocketOpener = Pick<Outbound, 'openSocket'>;

/** The topic of an item on a zone's broker. No id contains a slash or a wildcard. */
export const topicOf = (routeKey: string, { kind, id }: Pick<SyncItem, 'kind' | 'id'>): string =>
  `${routeKey}/sync/${kind}/${id}`;

const connect = (outbound: SocketOpener, node: SyncNode, signal?: AbortSignal): Promise<Broker> => {
  const { host, port, tls } = node.address();
  return connectBroker({
    open: () => outbound.openSocket({ host, port, tls, certificate: node.certificate }, signal),
    at: { host, port },
    clientId: `dc-sync-${newId()}`,
    username: node.username,
    password: node.password,
    keepSession: false,
    signal,
    receive: (_topic, _payload, acknowledge) => acknowledge(),
    closed: () => undefined,
  });
};

/** Publishes each item as a retained message on the zone's broker; returns which ones the broker accepted. */
export const deliverMqtt = async (
  outbound: SocketOpener,
  node: SyncNode,
  routeKey: string,
  items: SyncItem[],
  signal?: AbortSignal,
): Promise<Map<string, boolean>> => {
  const broker = await connect(outbound, node, signal);
  try {
    const accepted = await Promise.all(
      items.map(async (item): Promise<[string, boolean]> => {
        const payload = Buffer.from(JSON.stringify(item));
        return [item.id, await broker.publish(topicOf(routeKey, item), payload, true)];
      }),
    );
    // The connection broke: unacknowledged items were not rejected, their state is unknown.
    if (!broker.isOpen()) throw new NodeFailure('closed');
    return new Map(accepted);
  } finally {
    broker.end(true);
  }
};
