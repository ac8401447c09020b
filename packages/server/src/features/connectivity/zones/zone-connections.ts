import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../db/connect.ts';
import type { Broker } from '../../../mqtt/broker-client.ts';
import type { Log } from '../../../platform/log.ts';
import type { NodeFailure, Outbound } from '../../../platform/outbound/outbound.ts';
import type { BrokerNode, LinkedZone } from './linked-zone.ts';
import type { ZoneSlots } from './zone-slots.ts';
import { createZoneSubscriber, type ZoneSubscriber } from './zone-subscriber.ts';

type ZoneConnectionsDeps = {
  db: Db;
  hubNo: number;
  installationId: string;
  slots: ZoneSlots;
  outbound: Pick<Outbound, 'openSocket'>;
  readZones: () => Promise<LinkedZone[]>;
  handle: (zoneId: number, topic: string, bytes: Buffer, acknowledge: () => void) => void;
  /** The zone is connected, for the first time or again. */
  onConnected: (zoneId: number) => void;
  /** The zone was deleted or disabled, so its devices are offline. */
  onRemoved: (zoneId: number) => Promise<unknown>;
  log: Log;
};

type ZoneConnection = { zone: LinkedZone; subscribers: Map<number, ZoneSubscriber> };

/** A surplus slot is released after this long without messages. */
const SURPLUS_QUIET_MS = 3_000;

/** Keeps this hub's connections to zone brokers in line with the zone rows. */
export const createZoneConnections = (deps: ZoneConnectionsDeps) => {
  const { db, hubNo, slots, log } = deps;
  const zoneConnections = new Map<number, ZoneConnection>();
  const retiring = new Set<Promise<void>>();
  let stopped = false;
  let statusStored: Promise<unknown> = Promise.resolve();

  const storeStatus = (node: BrokerNode, state: 'connecting' | 'connected' | 'failed', failure?: NodeFailure): void => {
    const values = {
      state,
      problem: failure?.problem ?? '',
      detail: JSON.stringify(failure?.params ?? {}),
      since: Date.now(),
    };
    // Serialized: on two pool connections an older state could overwrite a newer one.
    statusStored = statusStored
      .then(() =>
        db
          .insertInto('zone_link')
          .values({ node_id: node.nodeId, hub_no: hubNo, ...values })
          .onConflict((conflict) =>
            conflict.columns(['node_id', 'hub_no']).doUpdateSet((row) => ({
              ...values,
              // `since` is the time of the first failure, not of the latest retry.
              since: row
                .case()
                .when('zone_link.state', '=', row.ref('excluded.state'))
                .then(row.ref('zone_link.since'))
                .else(row.ref('excluded.since'))
                .end(),
            })),
          )
          .execute(),
      )
      // The node may have been deleted meanwhile.
      .catch((error: unknown) => log.warn({ err: error }, 'zone node status not stored'));
  };

  const open = (zone: LinkedZone, slotNo: number): ZoneSubscriber =>
    createZoneSubscriber(zone, slotNo, {
      ...deps,
      receive: (topic, payload, acknowledge) => deps.handle(zone.zoneId, topic, payload, acknowledge),
      connected: (node, broker) => {
        storeStatus(node, 'connected');
        slots
          .setShared({ zoneId: zone.zoneId, slotNo }, broker.shared)
          .then(() => deps.onConnected(zone.zoneId))
          .catch((error: unknown) => log.warn({ err: error }, 'zone connect handler failed'));
      },
      failed: (node, failure) => storeStatus(node, 'failed', failure),
    });

  /** Drains and removes a subscriber in the background. */
  const retire = (zoneId: number, subscriber: ZoneSubscriber): Promise<void> => {
    const retirement = subscriber
      .retire()
      .then(async (drained) => {
        if (drained) await slots.remove({ zoneId, slotNo: subscriber.slotNo });
      })
      .catch((error: unknown) => log.warn({ err: error }, 'zone subscriber could not be retired'));
    retiring.add(retirement);
    void retirement.finally(() => retiring.delete(retirement));
    return retirement;
  };

  const close = async (zoneConnection: ZoneConnection): Promise<void> => {
    zoneConnections.delete(zoneConnection.zone.zoneId);
    await Promise.all(
      [...zoneConnection.subscribers.values()].map((subscriber) => retire(zoneConnection.zone.zoneId, subscriber)),
    );
    await db
      .deleteFrom('zone_link')
      .where('hub_no', '=', hubNo)
      .where(
        'node_id',
        'in',
        zoneConnection.zone.nodes.map((node) => node.nodeId),
      )
      .execute();
  };

  /** Retires additional slots, taken over from other hubs, once they are idle. */
  const retireSurplus = ({ zone, subscribers }: ZoneConnection): void => {
    const open = [...subscribers.values()].filter((subscriber) => subscriber.broker());
    const [first, ...surplus] = open.sort((one, other) => one.slotNo - other.slotNo);
    if (!first?.broker()?.shared) return;
    for (const subscriber of surplus)
      if (subscriber.broker()?.isIdleFor(SURPLUS_QUIET_MS)) {
        subscribers.delete(subscriber.slotNo);
        void retire(zone.zoneId, subscriber);
      }
  };

  const maintain = async (zone: LinkedZone): Promise<void> => {
    const zoneConnection = zoneConnections.get(zone.zoneId) ?? { zone, subscribers: new Map<number, ZoneSubscriber>() };
    zoneConnections.set(zone.zoneId, zoneConnection);
    const claimed = await slots.claim(zone.zoneId, new Set(zoneConnection.subscribers.keys()));
    if (stopped) return;
    for (const slotNo of claimed)
      if (!zoneConnection.subscribers.has(slotNo)) zoneConnection.subscribers.set(slotNo, open(zone, slotNo));
    for (const [slotNo, subscriber] of zoneConnection.subscribers)
      if (!claimed.includes(slotNo)) {
        // Another hub has claimed the slot while this hub's lease was expired.
        zoneConnection.subscribers.delete(slotNo);
        void subscriber.disconnect();
      }
    retireSurplus(zoneConnection);
  };

  let polling: Promise<void> | undefined;

  const poll = async (): Promise<void> => {
    const expected = new Map((await deps.readZones()).map((zone) => [zone.zoneId, zone]));
    for (const zoneConnection of [...zoneConnections.values()]) {
      const { zoneId, revision } = zoneConnection.zone;
      if (expected.get(zoneId)?.revision !== revision) await close(zoneConnection);
      if (!expected.has(zoneId)) await deps.onRemoved(zoneId);
    }
    for (const zone of expected.values()) if (!stopped) await maintain(zone);
  };

  const brokerOf = (zoneId: number): Broker | undefined => {
    for (const subscriber of zoneConnections.get(zoneId)?.subscribers.values() ?? []) {
      const broker = subscriber.broker();
      if (broker) return broker;
    }
    return undefined;
  };

  return {
    brokerOf,
    routeKeyOf: (zoneId: number): string => zoneConnections.get(zoneId)?.zone.routeKey ?? '',
    /** Zones whose broker this hub is connected to now. */
    linked: (): number[] => [...zoneConnections.keys()].filter((zoneId) => brokerOf(zoneId) !== undefined),
    expected: (): number[] => [...zoneConnections.keys()],
    poll: (): Promise<void> => {
      polling ??= poll().finally(() => {
        polling = undefined;
      });
      return polling;
    },
    /** Stores messages in flight. Later ones go to another hub's subscriber, or are queued by the broker. */
    async stop(withinMs: number): Promise<void> {
      stopped = true;
      await polling?.catch(() => undefined);
      const all = [...zoneConnections.values()].map(async ({ zone, subscribers }) => {
        const others = await slots.isSharedWithOthers(zone.zoneId).catch(() => false);
        await Promise.all(
          [...subscribers.values()].map((subscriber) =>
            others ? retire(zone.zoneId, subscriber) : subscriber.disconnect(),
          ),
        );
      });
      await Promise.race([Promise.all([...all, ...retiring]), sleep(withinMs, undefined, { ref: false })]);
      zoneConnections.clear();
      await db.deleteFrom('zone_link').where('hub_no', '=', hubNo).execute();
      await slots.releaseAll();
    },
  };
};
