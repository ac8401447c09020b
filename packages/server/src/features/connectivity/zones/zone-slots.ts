import { databaseTime } from '../../../db/clock.ts';
import type { Db } from '../../../db/connect.ts';
import { uniqueViolation } from '../../../db/errors.ts';

type Slot = { zoneId: number; slotNo: number };
type SlotRow = { slot_no: number; hub_no: number; shared: -1 | 0 | 1 };

/** Assigns the subscriber slots of zone brokers to hubs: rows, claimed by guarded updates. */
export const createZoneSlots = (db: Db, hubNo: number) => {
  const liveHubs = async (): Promise<Set<number>> => {
    const rows = await db
      .selectFrom('hub_instance')
      .select('hub_no')
      .where('lease_until', '>', databaseTime(db))
      .execute();
    return new Set([...rows.map((row) => row.hub_no), hubNo]);
  };

  const slotsOf = (zoneId: number): Promise<SlotRow[]> =>
    db
      .selectFrom('zone_slot')
      .select(['slot_no', 'hub_no', 'shared'])
      .where('zone_id', '=', zoneId)
      .orderBy('slot_no')
      .execute();

  const claimSlot = async (zoneId: number, { slot_no, hub_no }: SlotRow): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('zone_slot')
      .set({ hub_no: hubNo })
      .where('zone_id', '=', zoneId)
      .where('slot_no', '=', slot_no)
      .where('hub_no', '=', hub_no)
      .executeTakeFirst();
    return Number(numUpdatedRows) > 0;
  };

  const add = async (zoneId: number, slotNo: number, shared: -1 | 1): Promise<boolean> => {
    try {
      await db.insertInto('zone_slot').values({ zone_id: zoneId, slot_no: slotNo, hub_no: hubNo, shared }).execute();
      return true;
    } catch (error) {
      if (uniqueViolation(error)) return false;
      throw error;
    }
  };

  return {
    /**
     * Claims the slots of this hub: its current ones, those of ended hubs, and a new one if it has none and the broker
     * supports shared subscriptions. Without these, only one hub subscribes.
     */
    async claim(zoneId: number, held: ReadonlySet<number>): Promise<number[]> {
      const [live, slots] = [await liveHubs(), await slotsOf(zoneId)];
      const claimed: number[] = [];
      for (const slot of slots) {
        const isMine = slot.hub_no === hubNo && held.has(slot.slot_no);
        const isFree = slot.hub_no === hubNo || !live.has(slot.hub_no);
        if (isMine || (isFree && (await claimSlot(zoneId, slot)))) claimed.push(slot.slot_no);
      }
      if (claimed.length > 0) return claimed;
      const first = slots.at(0);
      const isShared = slots.some(({ shared }) => shared === 1);
      if (first && !isShared) return [];
      const next = (slots.at(-1)?.slot_no ?? -1) + 1;
      return (await add(zoneId, next, isShared ? 1 : -1)) ? [next] : [];
    },
    async setShared({ zoneId, slotNo }: Slot, shared: boolean): Promise<void> {
      await db
        .updateTable('zone_slot')
        .set({ shared: shared ? 1 : 0 })
        .where('zone_id', '=', zoneId)
        .where('slot_no', '=', slotNo)
        .execute();
    },
    /** The live hub with the lowest slot performs the zone's single-instance work. */
    async isZoneLeader(zoneId: number): Promise<boolean> {
      const [live, slots] = [await liveHubs(), await slotsOf(zoneId)];
      return slots.find(({ hub_no }) => live.has(hub_no))?.hub_no === hubNo;
    },
    /** Whether another hub has a shared subscription there too. */
    async isSharedWithOthers(zoneId: number): Promise<boolean> {
      const [live, slots] = [await liveHubs(), await slotsOf(zoneId)];
      return slots.some(({ hub_no, shared }) => shared === 1 && hub_no !== hubNo && live.has(hub_no));
    },
    /** Called when the slot's session on the broker has ended. */
    async remove({ zoneId, slotNo }: Slot): Promise<void> {
      await db
        .deleteFrom('zone_slot')
        .where('zone_id', '=', zoneId)
        .where('slot_no', '=', slotNo)
        .where('hub_no', '=', hubNo)
        .execute();
    },
    /** Releases the slots for other hubs; the broker queues messages meanwhile. */
    async releaseAll(): Promise<void> {
      await db.updateTable('zone_slot').set({ hub_no: 0 }).where('hub_no', '=', hubNo).execute();
    },
  };
};

export type ZoneSlots = ReturnType<typeof createZoneSlots>;
