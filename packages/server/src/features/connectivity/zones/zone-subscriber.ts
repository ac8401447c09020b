import { setTimeout as sleep } from 'node:timers/promises';
import { upFilter } from '@device-center/contract';
import { type Broker, openBroker } from '../../../mqtt/broker-client.ts';
import { connectBroker } from '../../../mqtt/connect-broker.ts';
import type { Log } from '../../../platform/log.ts';
import { NodeFailure, toNodeFailure } from '../../../platform/outbound/node-failure.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { withAbort } from '../../../platform/with-abort.ts';
import type { BrokerNode, LinkedZone } from './linked-zone.ts';

type ZoneSubscriberDeps = {
  outbound: Pick<Outbound, 'openSocket'>;
  installationId: string;
  log: Log;
  receive: (topic: string, payload: Buffer, acknowledge: () => void) => void;
  connected: (node: BrokerNode, broker: Broker) => void;
  failed: (node: BrokerNode, failure: NodeFailure) => void;
};

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 10_000;
/** A subscriber is drained after this long without messages. */
const QUIET_MS = 1_000;
const DRAIN_WITHIN_MS = 8_000;

/**
 * One subscriber of a zone's broker, reconnected when the connection drops. Its persistent session on the broker queues
 * messages while no hub is connected. The client ID contains the slot, not the hub that holds it.
 */
export const createZoneSubscriber = (zone: LinkedZone, slotNo: number, deps: ZoneSubscriberDeps) => {
  const filter = upFilter(zone.routeKey);
  const sharedFilter = `$share/dc-${deps.installationId}/${filter}`;
  const clientId = `dc-${deps.installationId}-${zone.zoneId}-${slotNo}`;
  const ended = new AbortController();
  let broker: Broker | undefined;

  const openSocket = ({ address, certificate }: BrokerNode, signal?: AbortSignal) => {
    const { host, port, tls } = address();
    return deps.outbound.openSocket({ host, port, tls, certificate }, signal);
  };

  const optionsOf = ({ username, password }: BrokerNode, closed: (reason: string) => void = () => undefined) => ({
    clientId,
    username,
    password,
    receive: deps.receive,
    closed,
  });

  const listen = async (node: BrokerNode): Promise<void> => {
    const connectionClosed = Promise.withResolvers<string>();
    const opened = await connectBroker({
      ...optionsOf(node, connectionClosed.resolve),
      open: () => openSocket(node, ended.signal),
      at: { host: node.hostName, port: node.port },
      keepSession: true,
      signal: ended.signal,
    });
    try {
      const granted = await withAbort(opened.subscribe(opened.shared ? sharedFilter : filter), ended.signal);
      if (!granted) throw new NodeFailure('topic', { topic: filter });
    } catch (error) {
      opened.end(false);
      throw error;
    }
    broker = opened;
    deps.connected(node, opened);
    try {
      const reason = await connectionClosed.promise;
      if (!ended.signal.aborted) throw new NodeFailure('closed', { reason });
    } finally {
      broker = undefined;
    }
  };

  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: ended.signal }).catch(() => undefined);

  const run = async (): Promise<void> => {
    for (let wait = RETRY_FIRST_MS, attempt = 0; !ended.signal.aborted; attempt++) {
      const node = zone.nodes[attempt % zone.nodes.length] as BrokerNode;
      const startedAt = performance.now();
      try {
        await listen(node);
      } catch (error) {
        if (ended.signal.aborted) return;
        const failure = toNodeFailure(error, { host: node.hostName, port: node.port });
        deps.failed(node, failure);
        deps.log.warn(
          { zoneId: zone.zoneId, slotNo, node: node.hostName, problem: failure.problem },
          'zone subscriber disconnected',
        );
      }
      if (performance.now() - startedAt > RETRY_MAX_MS) wait = RETRY_FIRST_MS;
      await pause(wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, RETRY_MAX_MS);
    }
  };
  const running = run();

  /** Unsubscribes and waits until all messages in flight are stored. */
  const drain = async (opened: Broker): Promise<boolean> => {
    await opened.unsubscribe(opened.shared ? sharedFilter : filter);
    const until = performance.now() + DRAIN_WITHIN_MS;
    while (!opened.isIdleFor(QUIET_MS) && opened.isOpen() && performance.now() < until) await sleep(50);
    return opened.isIdleFor(QUIET_MS);
  };

  /** MQTT 3.1.1 deletes a session only on a CONNECT with Clean Session. */
  const deleteSession = async (): Promise<void> => {
    for (const node of zone.nodes) {
      try {
        const stream = await openSocket(node);
        const opened = await openBroker({ ...optionsOf(node), stream, version: 4, keepSession: false });
        opened.end(true);
        return;
      } catch {
        // Try the next node.
      }
    }
  };

  return {
    slotNo,
    broker: (): Broker | undefined => broker,
    /** Disconnects; the broker keeps the session for the next holder of the slot. */
    async disconnect(): Promise<void> {
      ended.abort();
      broker?.end(false);
      await running;
    },
    /** Drains and ends the session. Returns false when it could not be drained. */
    async retire(): Promise<boolean> {
      const opened = broker;
      const drained = opened ? await drain(opened).catch(() => false) : false;
      ended.abort();
      opened?.end(drained);
      await running;
      if (drained && opened?.version === 4) await deleteSession();
      return drained;
    },
  };
};

export type ZoneSubscriber = ReturnType<typeof createZoneSubscriber>;
