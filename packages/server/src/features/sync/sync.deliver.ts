import {
  SYNC_ITEMS_MAX,
  SYNC_MAX_BYTES,
  type SyncItem,
  type SyncItemKey,
  type SyncItemResult,
} from '@device-center/contract';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { compareHttp, deliverHttp, fetchPeer, type Peer } from './sync.http.ts';
import { chunked } from './sync.items.ts';
import { deliverMqtt, topicOf } from './sync.mqtt.ts';
import { problem, type Reason, SyncFailure } from './sync.reason.ts';
import type { SyncNode, SyncTarget } from './sync.targets.ts';

type Deps = { outbound: Pick<Outbound, 'requestHttp' | 'openSocket'>; installationId: string };

/** The receiver behind each HTTP node, by node id. */
export type Peers = ReadonlyMap<string, Peer>;

/** The node that an item was not delivered to, and the reason. */
export type Undelivered = { node: string; reason: Reason };

/** The maximum size of a batch; a single item may be larger. */
const BATCH_BYTES = 1024 * 1024;
/** The size of a request without its items, rounded up. */
const FRAME_BYTES = 1024;

/** Limits for the reasons that a receiver reports, because they are stored. */
const REASON_MAX = 1_000;
const CODE_MAX = 100;

const isTooLarge = (bytes: number): boolean => bytes + FRAME_BYTES > SYNC_MAX_BYTES;

/** Splits entries into batches that fit into one request, by number and by size. */
export const batches = <Entry extends { item: SyncItem }>(entries: Entry[]): Entry[][] => {
  const all: Entry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = Buffer.byteLength(JSON.stringify(entry.item));
    const last = all.at(-1);
    if (last && last.length < SYNC_ITEMS_MAX && bytes + size <= BATCH_BYTES) {
      last.push(entry);
      bytes += size;
    } else {
      all.push([entry]);
      bytes = size;
    }
  }
  return all;
};

/** Why the receiver did not store an item. */
const failureOf = (answer: SyncItemResult | undefined): Reason | undefined => {
  if (!answer) return problem('fault');
  if (answer.result === 'older') return problem('newerThere');
  if (answer.result !== 'refused') return undefined;
  return reportedReason(answer);
};

const reportedReason = (answer: SyncItemResult): Reason => {
  const { code, params, message } = answer;
  const isSmall = typeof params === 'object' && params !== null && JSON.stringify(params).length < REASON_MAX;
  return {
    code: String(code).slice(0, CODE_MAX),
    params: isSmall ? params : {},
    message: String(message).slice(0, REASON_MAX),
  };
};

/** Why an item that was delivered is no longer in sync. */
const differenceOf = (answer: SyncItemResult): Reason => {
  if (answer.result === 'created') return problem('missingThere');
  if (answer.result === 'older') return problem('newerThere');
  return answer.result === 'refused' ? reportedReason(answer) : problem('olderThere');
};

/** An item with the installation that delivered it here; '' for an item that is managed here. */
type Entry<Item> = { item: Item; receivedFrom: string };

/** An item is not sent back to the installation that manages it or delivered it. */
const isKnownTo = (peer: Peer | undefined, { item, receivedFrom }: Entry<SyncItemKey>): boolean =>
  peer !== undefined && [item.origin, receivedFrom].includes(peer.installationId);

/** Delivers items to all nodes of a zone. Returns the failures of single items; throws the failure of a node. */
export const createDelivery = ({ outbound, installationId }: Deps) => {
  /** Asks each HTTP node for its receiver, before anything is sent. */
  const identifyPeers = async (target: SyncTarget, signal?: AbortSignal): Promise<Peers> => {
    const peers = new Map<string, Peer>();
    for (const node of target.nodes)
      if (node.kind === 'http')
        peers.set(
          node.nodeId,
          await fetchPeer(outbound, node, signal).catch((error: unknown) => {
            throw withNode(error, node);
          }),
        );
    return peers;
  };

  /** A hub of a version without the comparison rejects the unknown field `sender`. */
  const senderFor = (peer: Peer | undefined) => ((peer?.compareMax ?? 0) > 0 ? { sender: installationId } : {});

  const toMqtt = async (target: SyncTarget, node: SyncNode, items: SyncItem[], signal?: AbortSignal) => {
    const accepted = await deliverMqtt(outbound, node, target.zone.route_key, items, signal);
    const rejected = (item: SyncItem): Reason => ({
      code: 'topic',
      params: { topic: topicOf(target.zone.route_key, item) },
    });
    return new Map(items.map((item) => [item.id, accepted.get(item.id) ? undefined : rejected(item)]));
  };

  /** Halves a batch that is rejected as a whole, so that one invalid item does not block the others. */
  const toHttp = async (
    node: SyncNode,
    peer: Peer | undefined,
    items: SyncItem[],
    signal?: AbortSignal,
  ): Promise<Map<string, Reason | undefined>> => {
    try {
      const answers = await deliverHttp(outbound, node, { items, preview: 0, ...senderFor(peer) }, signal);
      return new Map(items.map((item) => [item.id, failureOf(answers.get(item.id))]));
    } catch (error) {
      if (!(error instanceof SyncFailure) || !error.isContentError) throw error;
      const [first] = items;
      if (items.length <= 1) return new Map([[first?.id ?? '', error.reason]]);
      const half = Math.ceil(items.length / 2);
      const one = await toHttp(node, peer, items.slice(0, half), signal);
      return new Map([...one, ...(await toHttp(node, peer, items.slice(half), signal))]);
    }
  };

  return {
    identifyPeers,

    /** Delivers one batch of items of one kind. */
    async deliver(
      target: SyncTarget,
      peers: Peers,
      entries: Entry<SyncItem>[],
      signal?: AbortSignal,
    ): Promise<Map<string, Undelivered>> {
      const undelivered = new Map<string, Undelivered>();
      for (const node of target.nodes) {
        const due = entries.filter((entry) => !isKnownTo(peers.get(node.nodeId), entry)).map(({ item }) => item);
        const fitting = due.filter((item) => {
          const bytes = Buffer.byteLength(JSON.stringify(item));
          if (isTooLarge(bytes)) undelivered.set(item.id, { node: node.name, reason: problem('tooLarge', { bytes }) });
          return !isTooLarge(bytes);
        });
        if (fitting.length === 0) continue;
        const reasons = await (node.kind === 'mqtt'
          ? toMqtt(target, node, fitting, signal)
          : toHttp(node, peers.get(node.nodeId), fitting, signal)
        ).catch((error: unknown) => {
          throw withNode(error, node);
        });
        for (const [id, reason] of reasons) if (reason) undelivered.set(id, { node: node.name, reason });
      }
      return undelivered;
    },

    /** The delivered items that a node no longer has in the delivered revision, each with the reason. */
    async compare(
      target: SyncTarget,
      peers: Peers,
      entries: Entry<SyncItemKey>[],
      signal?: AbortSignal,
    ): Promise<Map<string, Reason>> {
      const differing = new Map<string, Reason>();
      for (const node of target.nodes) {
        const peer = peers.get(node.nodeId);
        if (!peer || peer.compareMax === 0) continue;
        const own = entries.filter((entry) => !isKnownTo(peer, entry)).map(({ item }) => item);
        for (const chunk of chunked(own, peer.compareMax)) {
          const answers = await compareHttp(outbound, node, chunk, signal).catch((error: unknown) => {
            throw withNode(error, node);
          });
          for (const [id, answer] of answers) if (answer.result !== 'same') differing.set(id, differenceOf(answer));
        }
      }
      return differing;
    },

    preview: (node: SyncNode, items: SyncItem[], signal?: AbortSignal) =>
      deliverHttp(outbound, node, { items, preview: 1 }, signal),
  };
};

export type Delivery = ReturnType<typeof createDelivery>;

/** A node could not be reached or used. */
export class NodeUnavailableError extends Error {
  readonly node: string;
  readonly reason: Reason;

  constructor(node: string, reason: Reason) {
    super(reason.code);
    this.node = node;
    this.reason = reason;
  }
}

const withNode = (error: unknown, node: SyncNode): unknown => {
  if (error instanceof NodeFailure)
    return new NodeUnavailableError(node.name, { code: error.problem, params: error.params });
  return error instanceof SyncFailure ? new NodeUnavailableError(node.name, error.reason) : error;
};
