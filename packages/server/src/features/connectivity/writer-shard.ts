import type { ConnectRecordTable, MessageRecordTable } from '../../db/record-tables.ts';
import { isPermanentError, retryWithBackoff } from '../../db/retry.ts';
import type { Log } from '../../platform/log.ts';
import type { Batch, RecordStore, Uplink, Verdict } from '../../records/batch.ts';

type Waiting = { uplink: Uplink; done: (verdict: Verdict) => void };

/** A device's rows of one batch lie on the same pages, so a larger batch costs little more than a small one. */
const BATCH_MAX = 4_000;
const RETRY = { firstMs: 50, lastMs: 2_000 };

export type Told = { log: Log; committed: () => void };

/**
 * What is to be kept waits here for the next transaction. One batch is written at a time; what arrives meanwhile is the
 * next. A batch that cannot be written is tried again until it can: nothing in it was acknowledged, and the gateway
 * reads no further than its budget.
 */
export const createWriterShard = (store: RecordStore, writerNo: number, { log, committed }: Told) => {
  let uplinks: Waiting[] = [];
  let downlinks: MessageRecordTable[] = [];
  let connects: ConnectRecordTable[] = [];
  let running: Promise<void> | undefined;
  let kept = 0;
  let stopped = false;
  let writable = true;

  const write = async (batch: Batch): Promise<Verdict[]> => {
    const verdicts = await store.write(batch);
    writable = true;
    return verdicts;
  };

  const writePatiently = (batch: Batch): Promise<Verdict[]> =>
    retryWithBackoff(() => write(batch), {
      ...RETRY,
      waits: (error) => {
        writable = false;
        log.warn({ err: error, messages: batch.uplinks.length }, 'records could not be written, trying again');
      },
      giveUp: (error) => stopped || isPermanentError(error),
    }).catch((error: unknown) => {
      if (stopped) throw error;
      return writeInPieces(batch, error);
    });

  /** Something in it cannot be kept at all: the rest must not wait for that. */
  const writeInPieces = async (batch: Batch, error: unknown): Promise<Verdict[]> => {
    const { uplinks, downlinks, connects } = batch;
    if (uplinks.length + downlinks.length + connects.length === 1) {
      log.error({ err: error, batch }, 'a record cannot be kept');
      return uplinks.map(() => 'fault');
    }
    const verdicts: Verdict[] = [];
    const none = { writerNo, uplinks: [], downlinks: [], connects: [] };
    for (const one of uplinks) verdicts.push(...(await writePatiently({ ...none, uplinks: [one] })));
    for (const one of downlinks) await writePatiently({ ...none, downlinks: [one] });
    for (const one of connects) await writePatiently({ ...none, connects: [one] });
    return verdicts;
  };

  const run = async (): Promise<void> => {
    while (uplinks.length + downlinks.length + connects.length > 0) {
      const taken = uplinks.splice(0, BATCH_MAX);
      const batch = {
        writerNo,
        uplinks: taken.map(({ uplink }) => uplink),
        downlinks: downlinks.splice(0, BATCH_MAX),
        connects: connects.splice(0, BATCH_MAX),
      };
      const verdicts = await writePatiently(batch);
      kept += taken.length;
      for (const [index, { done }] of taken.entries()) done(verdicts[index] ?? 'stored');
      committed();
    }
  };

  const start = (): void => {
    if (running !== undefined) return;
    // Whatever else this turn of the loop brings goes into the same transaction.
    running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(run)
      .catch((error: unknown) => log.error({ err: error }, 'records were not written'))
      .finally(() => {
        running = undefined;
        if (!stopped && uplinks.length + downlinks.length + connects.length > 0) start();
      });
  };

  return {
    kept: (): number => kept,
    isWritable: (): boolean => writable,
    keep(uplink: Uplink, done: (verdict: Verdict) => void): void {
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
    /** Writes what is there, within a bound; what then remains was never acknowledged. */
    async stop(withinMs: number): Promise<void> {
      const late = new Promise<void>((resolve) => setTimeout(resolve, withinMs).unref());
      await Promise.race([running ?? Promise.resolve(), late]);
      stopped = true;
      uplinks = [];
      downlinks = [];
      connects = [];
    },
  };
};
