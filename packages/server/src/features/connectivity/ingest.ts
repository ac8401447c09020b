import type { ConnectRecordTable, MessageRecordTable } from '../../db/record-tables.ts';
import type { RecordStore, Uplink, WriteResult } from '../../records/batch.ts';
import { createWriterShard, type WriterDeps } from './writer-shard.ts';

/** Hash of the device ID: assigns a device to a fixed shard and spreads devices evenly. */
const hashOf = (deviceId: string): number => {
  let sum = 0;
  for (let at = 0; at < deviceId.length; at++) sum = (sum * 31 + deviceId.charCodeAt(at)) | 0;
  return sum >>> 0;
};

/** Offset between the writer numbers of shards; hub numbers are below it. */
const SHARD_NUMBER_STEP = 1_000_000;

/**
 * Stores device records in several writer shards: while one shard waits for the database, another fills its batch. A
 * device always uses the same shard, so its records stay in order and no two shards wait for the same row.
 */
export const createIngest = (store: RecordStore, hubNo: number, deps: WriterDeps) => {
  const shards = Array.from({ length: store.parallelWrites }, (_, shard) =>
    createWriterShard(store, hubNo + shard * SHARD_NUMBER_STEP, deps),
  );
  const shardOf = (row: { device_id: string }) => shards[hashOf(row.device_id) % shards.length] as (typeof shards)[0];

  return {
    /** Uplink messages processed since the start. */
    processed: (): number => shards.reduce((sum, shard) => sum + shard.processed(), 0),
    /** False while messages wait for a database that accepts no writes. */
    isWritable: (): boolean => shards.every((shard) => shard.isWritable()),
    /** Calls `done` with the result after the commit. */
    addUplink: (uplink: Uplink, done: (result: WriteResult) => void): void =>
      shardOf(uplink.record).addUplink(uplink, done),
    addDownlink: (row: MessageRecordTable): void => shardOf(row).addDownlink(row),
    addConnectionEvent: (row: ConnectRecordTable): void => shardOf(row).addConnectionEvent(row),
    /** Flushes within the time limit; messages not written by then were never acknowledged. */
    async stop(withinMs: number): Promise<void> {
      await Promise.all(shards.map((shard) => shard.stop(withinMs)));
    },
  };
};

export type Ingest = ReturnType<typeof createIngest>;
