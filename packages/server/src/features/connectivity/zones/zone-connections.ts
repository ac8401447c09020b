import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../db/connect.ts';
import type { Broker } from '../../../mqtt/broker-client.ts';
import type { Log } from '../../../platform/log.ts';
import type { NodeFailure, Outward } from '../../../platform/outbound/outward.ts';
import type { BrokerNode, LinkedZone } from './linked-zone.ts';
import type { ZoneSlots } from './zone-slots.ts';
import { createZoneEar, type ZoneEar } from './zone-subscriber.ts';

type ZoneLinksDeps = {
  db: Db;
  hubNo: number;
  installationId: string;
  slots: ZoneSlots;
  outward: Pick<Outward, 'openSocket'>;
  readZones: () => Promise<LinkedZone[]>;
  take: (zoneId: number, topic: string, bytes: Buffer, acknowledge: () => void) => void;
  /** The zone is heard, for the first time or again. */
  heard: (zoneId: number) => void;
  /** The zone is gone or switched off, and its devices with it. */
  gone: (zoneId: number) => Promise<unknown>;
  log: Log;
};

type Link = { zone: LinkedZone; ears: Map<number, ZoneEar> };

/** A slot of a hub that is gone is kept this long after it fell silent, then given up. */
const SURPLUS_QUIET_MS = 3_000;

/** The connections of this hub to the brokers of zones, as the rows want them. */
export const createZoneLinks = (deps: ZoneLinksDeps) => {
  const { db, hubNo, slots, log } = deps;
  const links = new Map<number, Link>();
  const retiring = new Set<Promise<void>>();
  let stopped = false;
  let stateWritten: Promise<unknown> = Promise.resolve();

  const tell = (node: BrokerNode, state: 'connecting' | 'connected' | 'failed', failure?: NodeFailure): void => {
    const values = {
      state,
      problem: failure?.problem ?? '',
      detail: JSON.stringify(failure?.params ?? {}),
      since: Date.now(),
    };
    // One after the other: on two connections of the pool an older state could overwrite a newer one.
    stateWritten = stateWritten
      .then(() =>
        db
          .insertInto('zone_link')
          .values({ node_id: node.nodeId, hub_no: hubNo, ...values })
          .onConflict((conflict) =>
            conflict.columns(['node_id', 'hub_no']).doUpdateSet((row) => ({
              ...values,
              // Each retry fails anew; the node has been down since the first.
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
      // The node may have been deleted a moment ago.
      .catch((error: unknown) => log.warn({ err: error }, 'the state of a node was not written'));
  };

  const open = (zone: LinkedZone, slotNo: number): ZoneEar =>
    createZoneEar(zone, slotNo, {
      ...deps,
      receive: (topic, payload, acknowledge) => deps.take(zone.zoneId, topic, payload, acknowledge),
      connected: (node, broker) => {
        tell(node, 'connected');
        slots
          .learn({ zoneId: zone.zoneId, slotNo }, broker.shared)
          .then(() => deps.heard(zone.zoneId))
          .catch((error: unknown) => log.warn({ err: error }, 'a zone was heard, and that was not written'));
      },
      failed: (node, failure) => tell(node, 'failed', failure),
    });

  /** In its own time: it takes what is on its way, and nobody waits for that. */
  const retire = (zoneId: number, ear: ZoneEar): Promise<void> => {
    const work = ear
      .retire()
      .then(async (drained) => {
        if (drained) await slots.remove({ zoneId, slotNo: ear.slotNo });
      })
      .catch((error: unknown) => log.warn({ err: error }, 'a subscriber of a zone could not be given up'));
    retiring.add(work);
    void work.finally(() => retiring.delete(work));
    return work;
  };

  const close = async (link: Link): Promise<void> => {
    links.delete(link.zone.zoneId);
    await Promise.all([...link.ears.values()].map((ear) => retire(link.zone.zoneId, ear)));
    await db
      .deleteFrom('zone_link')
      .where('hub_no', '=', hubNo)
      .where(
        'node_id',
        'in',
        link.zone.nodes.map((node) => node.nodeId),
      )
      .execute();
  };

  /** A hub that has come into a second slot gives it up once it has fallen silent. */
  const shedSurplus = ({ zone, ears }: Link): void => {
    const open = [...ears.values()].filter((ear) => ear.broker());
    const [first, ...surplus] = open.sort((one, other) => one.slotNo - other.slotNo);
    if (!first?.broker()?.shared) return;
    for (const ear of surplus)
      if (ear.broker()?.isQuietFor(SURPLUS_QUIET_MS)) {
        ears.delete(ear.slotNo);
        void retire(zone.zoneId, ear);
      }
  };

  const keep = async (zone: LinkedZone): Promise<void> => {
    const link = links.get(zone.zoneId) ?? { zone, ears: new Map<number, ZoneEar>() };
    links.set(zone.zoneId, link);
    const claimed = await slots.claim(zone.zoneId, new Set(link.ears.keys()));
    if (stopped) return;
    for (const slotNo of claimed) if (!link.ears.has(slotNo)) link.ears.set(slotNo, open(zone, slotNo));
    for (const [slotNo, ear] of link.ears)
      if (!claimed.includes(slotNo)) {
        // Another hub has taken it while this one seemed to be gone.
        link.ears.delete(slotNo);
        void ear.leave();
      }
    shedSurplus(link);
  };

  let looking: Promise<void> | undefined;

  const look = async (): Promise<void> => {
    const wanted = new Map((await deps.readZones()).map((zone) => [zone.zoneId, zone]));
    for (const link of [...links.values()]) {
      const { zoneId, revision } = link.zone;
      if (wanted.get(zoneId)?.revision !== revision) await close(link);
      if (!wanted.has(zoneId)) await deps.gone(zoneId);
    }
    for (const zone of wanted.values()) if (!stopped) await keep(zone);
  };

  const brokerOf = (zoneId: number): Broker | undefined => {
    for (const ear of links.get(zoneId)?.ears.values() ?? []) {
      const broker = ear.broker();
      if (broker) return broker;
    }
    return undefined;
  };

  return {
    brokerOf,
    routeKeyOf: (zoneId: number): string => links.get(zoneId)?.zone.routeKey ?? '',
    /** Zones that this hub hears and can speak through just now. */
    linked: (): number[] => [...links.keys()].filter((zoneId) => brokerOf(zoneId) !== undefined),
    wanted: (): number[] => [...links.keys()],
    look: (): Promise<void> => {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    /** What is on its way is stored; where another hub listens it takes the rest, else the broker keeps it. */
    async stop(withinMs: number): Promise<void> {
      stopped = true;
      await looking?.catch(() => undefined);
      const all = [...links.values()].map(async ({ zone, ears }) => {
        const others = await slots.isSharedWithOthers(zone.zoneId).catch(() => false);
        await Promise.all([...ears.values()].map((ear) => (others ? retire(zone.zoneId, ear) : ear.leave())));
      });
      await Promise.race([Promise.all([...all, ...retiring]), sleep(withinMs, undefined, { ref: false })]);
      links.clear();
      await db.deleteFrom('zone_link').where('hub_no', '=', hubNo).execute();
      await slots.free();
    },
  };
};
