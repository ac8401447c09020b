import {
  SYNC_ITEMS_MAX,
  SYNC_MAX_BYTES,
  type SyncItem,
  type SyncItemAnswer,
  type SyncItemKey,
} from '@device-center/contract';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outward } from '../../platform/outbound/outward.ts';
import { compareHttp, deliverHttp, type Peer, whoIs } from './sync.http.ts';
import { inPieces } from './sync.items.ts';
import { deliverMqtt, topicOf } from './sync.mqtt.ts';
import { problem, type Reason, SyncFailure } from './sync.reason.ts';
import type { SyncNode, SyncTarget } from './sync.targets.ts';

type Deps = { outward: Pick<Outward, 'askHttp' | 'openSocket'>; installationId: string };

/** Who is behind each HTTP node, by its id. */
export type Peers = ReadonlyMap<string, Peer>;

/** Not delivered to this node, for this reason; nothing when all nodes have it. */
export type Undelivered = { node: string; reason: Reason };

/** A batch is about this large at most, unless a single item is larger. */
const BATCH_BYTES = 1024 * 1024;
/** What stands around the items. */
const FRAME_BYTES = 1024;

/** What another says about its reasons is kept, but not without end. */
const REASON_MAX = 1_000;
const CODE_MAX = 100;

const isTooLarge = (bytes: number): boolean => bytes + FRAME_BYTES > SYNC_MAX_BYTES;

/** As many as one request takes, by number and by size. */
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

/** Why the other side does not have what was sent. */
const refusalOf = (answer: SyncItemAnswer | undefined): Reason | undefined => {
  if (!answer) return problem('fault');
  if (answer.result === 'older') return problem('newerThere');
  if (answer.result !== 'refused') return undefined;
  return saidReason(answer);
};

const saidReason = (answer: SyncItemAnswer): Reason => {
  const { code, params, message } = answer;
  const isSmall = typeof params === 'object' && params !== null && JSON.stringify(params).length < REASON_MAX;
  return {
    code: String(code).slice(0, CODE_MAX),
    params: isSmall ? params : {},
    message: String(message).slice(0, REASON_MAX),
  };
};

/** Why an item that was delivered is no longer in sync. */
const differenceOf = (answer: SyncItemAnswer): Reason => {
  if (answer.result === 'created') return problem('missingThere');
  if (answer.result === 'older') return problem('newerThere');
  return answer.result === 'refused' ? saidReason(answer) : problem('olderThere');
};

/** An item with the installation that delivered it here; '' of what is managed here. */
type Entry<Item> = { item: Item; receivedFrom: string };

/** It is not sent back to where it is managed, nor to where it came from. */
const isOf = (peer: Peer | undefined, { item, receivedFrom }: Entry<SyncItemKey>): boolean =>
  peer !== undefined && [item.origin, receivedFrom].includes(peer.installationId);

/** Brings items to all nodes of a zone. What fails for one item is that item's; what fails for a node is thrown. */
export const createDelivery = ({ outward, installationId }: Deps) => {
  /** Who is behind each HTTP node, asked before anything is sent. */
  const greet = async (target: SyncTarget, signal?: AbortSignal): Promise<Peers> => {
    const peers = new Map<string, Peer>();
    for (const node of target.nodes)
      if (node.kind === 'http')
        peers.set(
          node.nodeId,
          await whoIs(outward, node, signal).catch((error: unknown) => {
            throw withNode(error, node);
          }),
        );
    return peers;
  };

  /** A hub of a version that cannot compare refuses a field that it does not know. */
  const senderFor = (peer: Peer | undefined) => ((peer?.compareMax ?? 0) > 0 ? { sender: installationId } : {});

  const toMqtt = async (target: SyncTarget, node: SyncNode, items: SyncItem[], signal?: AbortSignal) => {
    const taken = await deliverMqtt(outward, node, target.zone.route_key, items, signal);
    const refused = (item: SyncItem): Reason => ({
      code: 'topic',
      params: { topic: topicOf(target.zone.route_key, item) },
    });
    return new Map(items.map((item) => [item.id, taken.get(item.id) ? undefined : refused(item)]));
  };

  /** One that cannot be taken must not keep the others: a batch that is refused whole is halved. */
  const toHttp = async (
    node: SyncNode,
    peer: Peer | undefined,
    items: SyncItem[],
    signal?: AbortSignal,
  ): Promise<Map<string, Reason | undefined>> => {
    try {
      const answers = await deliverHttp(outward, node, { items, preview: 0, ...senderFor(peer) }, signal);
      return new Map(items.map((item) => [item.id, refusalOf(answers.get(item.id))]));
    } catch (error) {
      if (!(error instanceof SyncFailure) || !error.ofContent) throw error;
      const [first] = items;
      if (items.length <= 1) return new Map([[first?.id ?? '', error.reason]]);
      const half = Math.ceil(items.length / 2);
      const one = await toHttp(node, peer, items.slice(0, half), signal);
      return new Map([...one, ...(await toHttp(node, peer, items.slice(half), signal))]);
    }
  };

  return {
    greet,

    /** One batch, of one kind. */
    async deliver(
      target: SyncTarget,
      peers: Peers,
      entries: Entry<SyncItem>[],
      signal?: AbortSignal,
    ): Promise<Map<string, Undelivered>> {
      const undelivered = new Map<string, Undelivered>();
      for (const node of target.nodes) {
        const due = entries.filter((entry) => !isOf(peers.get(node.nodeId), entry)).map(({ item }) => item);
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

    /** Of delivered items those that a node no longer has as they were delivered, each with the reason. */
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
        const own = entries.filter((entry) => !isOf(peer, entry)).map(({ item }) => item);
        for (const piece of inPieces(own, peer.compareMax)) {
          const answers = await compareHttp(outward, node, piece, signal).catch((error: unknown) => {
            throw withNode(error, node);
          });
          for (const [id, answer] of answers) if (answer.result !== 'same') differing.set(id, differenceOf(answer));
        }
      }
      return differing;
    },

    preview: (node: SyncNode, items: SyncItem[], signal?: AbortSignal) =>
      deliverHttp(outward, node, { items, preview: 1 }, signal),
  };
};

export type Delivery = ReturnType<typeof createDelivery>;

/** The node that could not be used. */
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
