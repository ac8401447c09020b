import type { SyncItem } from '@device-center/contract';
import type { Broker } from '../../mqtt/broker-client.ts';
import { connectBroker } from '../../mqtt/connect-broker.ts';
import { newId } from '../../platform/ids.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outward } from '../../platform/outbound/outward.ts';
import type { SyncNode } from './sync.targets.ts';

type Open = Pick<Outward, 'openSocket'>;

/** Where an item lies on a zone's broker. No id holds a slash or a wildcard. */
export const topicOf = (routeKey: string, { kind, id }: Pick<SyncItem, 'kind' | 'id'>): string =>
  `${routeKey}/sync/${kind}/${id}`;

const connect = (outward: Open, node: SyncNode, signal?: AbortSignal): Promise<Broker> => {
  const { host, port, tls } = node.address();
  return connectBroker({
    open: () => outward.openSocket({ host, port, tls, certificate: node.certificate }, signal),
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

/** Keeps each item on the zone's broker as a retained message, and says which the broker has. */
export const deliverMqtt = async (
  outward: Open,
  node: SyncNode,
  routeKey: string,
  items: SyncItem[],
  signal?: AbortSignal,
): Promise<Map<string, boolean>> => {
  const broker = await connect(outward, node, signal);
  try {
    const taken = await Promise.all(
      items.map(async (item): Promise<[string, boolean]> => {
        const payload = Buffer.from(JSON.stringify(item));
        return [item.id, await broker.publish(topicOf(routeKey, item), payload, true)];
      }),
    );
    // Nothing was refused by a word: the connection broke, and nobody knows how far it got.
    if (!broker.isOpen()) throw new NodeFailure('closed');
    return new Map(taken);
  } finally {
    broker.end(true);
  }
};
