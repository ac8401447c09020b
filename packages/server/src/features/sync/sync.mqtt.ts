import type { SyncItem } from '@device-center/contract';
import { type Broker, BrokerRefusal, openBroker } from '../../mqtt/broker-client.ts';
import { newId } from '../../platform/ids.ts';
import { NodeFailure } from '../../platform/outward/node-failure.ts';
import type { Outward } from '../../platform/outward/outward.ts';
import type { SyncNode } from './sync.targets.ts';

type Open = Pick<Outward, 'openSocket'>;

/** Where an item lies on a zone's broker. No id holds a slash or a wildcard. */
export const topicOf = (routeKey: string, { kind, id }: Pick<SyncItem, 'kind' | 'id'>): string =>
  `${routeKey}/sync/${kind}/${id}`;

const WRONG_ACCOUNT = [4, 5, 0x86, 0x87];

const failureOf = (error: unknown): NodeFailure => {
  if (error instanceof NodeFailure) return error;
  if (!(error instanceof BrokerRefusal)) return new NodeFailure('closed');
  return new NodeFailure(WRONG_ACCOUNT.includes(error.code) ? 'credentials' : 'notAllowed');
};

const login = async (outward: Open, node: SyncNode, version: 4 | 5, signal?: AbortSignal): Promise<Broker> => {
  const { host, port, tls } = node.address();
  const stream = await outward.openSocket({ host, port, tls, certificate: node.certificate }, signal);
  return openBroker({
    stream,
    version,
    clientId: `dc-sync-${newId()}`,
    username: node.username,
    password: node.password,
    keepSession: false,
    receive: (_topic, _payload, acknowledge) => acknowledge(),
    closed: () => undefined,
  });
};

/** A broker of the earlier version refuses the later one, or hangs up. */
const openAny = async (outward: Open, node: SyncNode, signal?: AbortSignal): Promise<Broker> => {
  try {
    return await login(outward, node, 5, signal);
  } catch (error) {
    const failure = failureOf(error);
    if (error instanceof NodeFailure || failure.problem === 'credentials') throw failure;
  }
  return login(outward, node, 4, signal).catch((error: unknown) => {
    throw failureOf(error);
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
  const broker = await openAny(outward, node, signal);
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
