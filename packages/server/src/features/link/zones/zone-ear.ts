import { setTimeout as sleep } from 'node:timers/promises';
import { type Broker, BrokerRefusal, openBroker } from '../../../mqtt/broker-client.ts';
import type { Log } from '../../../platform/log.ts';
import { readNodeAddress } from '../../../platform/outward/node-address.ts';
import { NodeFailure, type Outward } from '../../../platform/outward/outward.ts';
import type { BrokerNode, LinkedZone } from './linked-zone.ts';

type EarDeps = {
  outward: Pick<Outward, 'openSocket'>;
  installationId: string;
  log: Log;
  receive: (topic: string, payload: Buffer, acknowledge: () => void) => void;
  connected: (node: BrokerNode, broker: Broker) => void;
  failed: (node: BrokerNode, failure: NodeFailure) => void;
};

const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 10_000;
/** Nothing came for so long after the subscription ended: nothing will. */
const QUIET_MS = 1_000;
const DRAIN_WITHIN_MS = 8_000;
const WRONG_VERSION = new Set([1, 0x84]);
const WRONG_CREDENTIALS = new Set([4, 0x86]);
const NOT_ALLOWED = new Set([5, 0x87, 0x8a, 0x8c]);

/** What a broker's no means, in the words of a node's problems. */
export const refusalOf = (error: unknown, node: { hostName: string; port: number }, topic: string): NodeFailure => {
  if (error instanceof NodeFailure) return error;
  if (error instanceof BrokerRefusal) {
    if (error.at !== 'connect') return new NodeFailure('topic', { topic });
    if (WRONG_CREDENTIALS.has(error.code)) return new NodeFailure('credentials');
    if (NOT_ALLOWED.has(error.code)) return new NodeFailure('notAllowed');
    return new NodeFailure('protocol');
  }
  const reason = error instanceof Error ? error.message : String(error);
  if (reason === 'no answer') return new NodeFailure('timeout', { host: node.hostName, port: node.port });
  return new NodeFailure(reason === 'connection closed' ? 'closed' : 'protocol');
};

/**
 * One subscriber of a zone's broker, kept connected. Its session on the broker is kept, so that what arrives while
 * no hub is there waits; it goes by its slot and not by the hub that holds it.
 */
export const createZoneEar = (zone: LinkedZone, slotNo: number, deps: EarDeps) => {
  const filter = `${zone.routeKey}/+/+/+/up`;
  const sharedFilter = `$share/dc-${deps.installationId}/${filter}`;
  const clientId = `dc-${deps.installationId}-${zone.zoneId}-${slotNo}`;
  const ended = new AbortController();
  let broker: Broker | undefined;

  type Manner = { closed: (reason: string) => void; keepSession: boolean; signal?: AbortSignal };

  const open = async (node: BrokerNode, version: 4 | 5, { closed, keepSession, signal }: Manner): Promise<Broker> => {
    const { hostName, port: written, certificate } = node;
    const address = readNodeAddress({ hostName, port: written, kind: 'mqtt', tls: node.tls });
    const { host, port, tls } = address;
    return openBroker({
      stream: await deps.outward.openSocket({ host, port, tls: tls || certificate !== undefined, certificate }, signal),
      version,
      clientId,
      username: node.username,
      password: node.password,
      keepSession,
      receive: deps.receive,
      closed,
    });
  };

  /** A broker of MQTT 3.1.1 says so, or closes without a word. */
  const connect = async (node: BrokerNode, manner: Manner): Promise<Broker> => {
    try {
      return await open(node, 5, manner);
    } catch (error) {
      const isOld = error instanceof BrokerRefusal ? WRONG_VERSION.has(error.code) : !(error instanceof NodeFailure);
      if (!isOld) throw error;
      return open(node, 4, manner);
    }
  };

  const listen = async (node: BrokerNode): Promise<void> => {
    const over = Promise.withResolvers<string>();
    const manner = { closed: over.resolve, keepSession: true, signal: ended.signal };
    const opened = await connect(node, manner);
    try {
      await opened.subscribe(opened.shared ? sharedFilter : filter);
    } catch (error) {
      opened.end(false);
      throw error;
    }
    broker = opened;
    deps.connected(node, opened);
    try {
      const reason = await over.promise;
      if (!ended.signal.aborted) throw new NodeFailure('closed', { reason });
    } finally {
      broker = undefined;
    }
  };

  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: ended.signal }).catch(() => undefined);

  const live = async (): Promise<void> => {
    for (let wait = RETRY_FIRST_MS, turn = 0; !ended.signal.aborted; turn++) {
      const node = zone.nodes[turn % zone.nodes.length] as BrokerNode;
      const startedAt = Date.now();
      try {
        await listen(node);
      } catch (error) {
        if (ended.signal.aborted) return;
        const failure = refusalOf(error, node, filter);
        deps.failed(node, failure);
        deps.log.warn({ zoneId: zone.zoneId, slotNo, node: node.hostName, problem: failure.problem }, 'zone not heard');
      }
      if (Date.now() - startedAt > RETRY_MAX_MS) wait = RETRY_FIRST_MS;
      await pause(wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, RETRY_MAX_MS);
    }
  };
  const running = live();

  /** Takes no more, and waits until all that was on its way is stored. */
  const drain = async (opened: Broker): Promise<boolean> => {
    await opened.unsubscribe(opened.shared ? sharedFilter : filter);
    const until = Date.now() + DRAIN_WITHIN_MS;
    while (!opened.isQuietFor(QUIET_MS) && opened.isOpen() && Date.now() < until) await sleep(50);
    return opened.isQuietFor(QUIET_MS);
  };

  /** MQTT 3.1.1 forgets a session only when its client comes back clean. */
  const wipe = async (): Promise<void> => {
    for (const node of zone.nodes) {
      try {
        const opened = await open(node, 4, { closed: () => undefined, keepSession: false });
        opened.end(true);
        return;
      } catch {
        // The next one, then.
      }
    }
  };

  return {
    slotNo,
    broker: (): Broker | undefined => broker,
    /** Leaves; the broker keeps the session for whoever takes the slot. */
    async leave(): Promise<void> {
      ended.abort();
      broker?.end(false);
      await running;
    },
    /** Leaves for good: what was kept is taken first. False when that could not be. */
    async retire(): Promise<boolean> {
      const opened = broker;
      const drained = opened ? await drain(opened).catch(() => false) : false;
      ended.abort();
      opened?.end(drained);
      await running;
      if (drained && opened?.version === 4) await wipe();
      return drained;
    },
  };
};

export type ZoneEar = ReturnType<typeof createZoneEar>;
