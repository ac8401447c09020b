import type { ConnectRecordTable, MessageRecordTable } from '../../db/record-tables.ts';
import type { RecordStore, Uplink, Verdict } from '../../records/batch.ts';
import { createWriterShard, type Told } from './writer-shard.ts';

/** The same for the same device, spread over all. */
const numberOf = (deviceId: string): number => {
  let sum = 0;
  for (let at = 0; at < deviceId.length; at++) sum = (sum * 31 + deviceId.charCodeAt(at)) | 0;
  return sum >>> 0;
};

/** A lane is a writer of its own; hubs have the numbers below. */
const LANE_NUMBERS = 1_000_000;

/**
 * All that is to be kept of devices, in lanes: while one lane's batch is on its way to the database and back, another's
 * is made. A device has its lane, so what it sends is kept in order, and no two lanes wait for the same row.
 */
export const createIntake = (store: RecordStore, hubNo: number, told: Told) => {
  const lanes = Array.from({ length: store.lanes }, (_, lane) =>
    createWriterShard(store, hubNo + lane * LANE_NUMBERS, told),
  );
  const workerIdOf = (row: { device_id: string }) => lanes[numberOf(row.device_id) % lanes.length] as (typeof lanes)[0];

  return {
    /** How many messages of devices have gone through since the start. */
    kept: (): number => lanes.reduce((sum, lane) => sum + lane.kept(), 0),
    /** False while messages wait for a database that accepts no writes. */
    isWritable: (): boolean => lanes.every((lane) => lane.isWritable()),
    /** `done` after the commit, with what became of it. */
    keep: (uplink: Uplink, done: (verdict: Verdict) => void): void => workerIdOf(uplink.record).keep(uplink, done),
    addDownlink: (row: MessageRecordTable): void => workerIdOf(row).addDownlink(row),
    addConnectionEvent: (row: ConnectRecordTable): void => workerIdOf(row).addConnectionEvent(row),
    /** Writes what is there, within a bound; what then remains was never acknowledged. */
    async stop(withinMs: number): Promise<void> {
      await Promise.all(lanes.map((lane) => lane.stop(withinMs)));
    },
  };
};

export type Intake = ReturnType<typeof createIntake>;
