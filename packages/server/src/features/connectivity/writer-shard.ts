import type { ConnectRecordTable, MessageRecordTable } from '../../db/record-tables.ts';
import { isPermanentError, retryWithBackoff } from '../../db/retry.ts';
import type { Log } from '../../platform/log.ts';
import type { Batch, RecordStore, Uplink, WriteResult } from '../../records/batch.ts';

type Waiting = { uplink: Uplink; done: (result: WriteResult) => void };

/** Rows of one device in a batch share database pages, so a larger batch costs little more than a small one. */
const BATCH_MAX = 4_000;
const RETRY = { initialDelayMs: 50, maxDelayMs: 2_000 };

export type WriterDeps = { log: Log; committed: () => void };

/**
 * Collects records for the next transaction and writes one batch at a time. A failed batch is retried until it is
 * written: nothing in it has been acknowledged, and the MQTT server stops reading at its budget.
 */
export const createWriterShard = (store: RecordStore, writerNo: number, { log, committed }: WriterDeps) => {
  let uplinks: Waiting[] = [];
  let downlinks: MessageRecordTable[] = [];
  let connects: ConnectRecordTable[] = [];
  let running: Promise<void> | undefined;
  let processed = 0;
  let stopped = false;
  let writable = true;

  const write = async (batch: Batch): Promise<WriteResult[]> => {
    const results = await store.write(batch);
    writable = true;
    return results;
  };

  const writeWithRetry = (batch: Batch): Promise<WriteResult[]> =>
    retryWithBackoff(() => write(batch), {
      ...RETRY,
      onRetry: (error) => {
        writable = false;
        log.warn({ err: error, messages: batch.uplinks.length }, 'records not written, retrying');
      },
      shouldStop: (error) => stopped || isPermanentError(error),
    }).catch((error: unknown) => {
      if (stopped) throw error;
      return writeOneByOne(batch, error);
    });

  /** Writes records one by one after a permanent error, so that only the one that cannot be stored is lost. */
  const writeOneByOne = async (batch: Batch, error: unknown): Promise<WriteResult[]> => {
    const { uplinks, downlinks, connects } = batch;
    if (uplinks.length + downlinks.length + connects.length === 1) {
      log.error({ err: error, batch }, 'record cannot be stored');
      return uplinks.map(() => 'unstorable');
    }
    const results: WriteResult[] = [];
    const none = { writerNo, uplinks: [], downlinks: [], connects: [] };
    for (const one of uplinks) results.push(...(await writeWithRetry({ ...none, uplinks: [one] })));
    for (const one of downlinks) await writeWithRetry({ ...none, downlinks: [one] });
    for (const one of connects) await writeWithRetry({ ...none, connects: [one] });
    return results;
  };

  const run = async (): Promise<void> => {
    while (uplinks.length + downlinks.length + connects.length > 0) {
      const batchUplinks = uplinks.splice(0, BATCH_MAX);
      const batch = {
        writerNo,
        uplinks: batchUplinks.map(({ uplink }) => uplink),
        downlinks: downlinks.splice(0, BATCH_MAX),
        connects: connects.splice(0, BATCH_MAX),
      };
      const results = await writeWithRetry(batch);
      processed += batchUplinks.length;
      for (const [index, { done }] of batchUplinks.entries()) done(results[index] ?? 'stored');
      committed();
    }
  };

  const start = (): void => {
    if (running !== undefined) return;
    // Deferred, so that all records of this event loop turn are in one transaction.
    running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(run)
      .catch((error: unknown) => log.error({ err: error }, 'record writer failed'))
      .finally(() => {
        running = undefined;
        if (!stopped && uplinks.length + downlinks.length + connects.length > 0) start();
      });
  };

  return {
    processed: (): number => processed,
    isWritable: (): boolean => writable,
    addUplink(uplink: Uplink, done: (result: WriteResult) => void): void {
      uplinks.push({ uplink, done });
      start();
    },
    addDownlink(row: MessageRecordTable): void {
      downlinks.push(row);
      start();
    },
    addConnectionEvent(row: ConnectRecordTable): void {
      connects.push(row);
      start();
    },
    /** Flushes within the time limit; messages not written by then were never acknowledged. */
    async stop(withinMs: number): Promise<void> {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      await Promise.race([running ?? Promise.resolve(), timeout]);
      stopped = true;
      uplinks = [];
      downlinks = [];
      connects = [];
    },
  };
};
