import type { RecordDb } from '../db/connect.ts';
import { QUARTER_MS, quarterHourOf } from './batch.ts';
import { type BatchRunner, deleteRecordsBefore } from './old-records.ts';
import { clearBytesBefore, type QuarterBytes, quarterBytesOf, slicesOf } from './tenant-usage.ts';

const DEVICES_PER_BATCH = 200;

/**
 * The largest size per tenant for which all together have at most `target`. Tenants below it keep everything, so that a
 * tenant which stores much takes nothing from one that stores little.
 */
export const fairShare = (stored: Iterable<number>, target: number): number => {
  const sizes = [...stored].sort((one, other) => one - other);
  let rest = target;
  for (const [index, size] of sizes.entries()) {
    const share = rest / (sizes.length - index);
    if (size > share) return share;
    rest -= size;
  }
  return Infinity;
};

/**
 * The cutoff for deleting this many bytes: everything before this quarter hour, and `rest` bytes of the quarter itself.
 * Undefined if everything must be deleted.
 */
export const cutoffOf = (quarters: QuarterBytes[], excess: number): { begin: number; rest: number } | undefined => {
  let rest = excess;
  for (const { quarter, bytes } of quarters) {
    if (bytes > rest) return { begin: quarter * QUARTER_MS, rest };
    rest -= bytes;
  }
  return undefined;
};

export type TenantDevices = (tenancyId: string, after: string, limit: number) => Promise<string[]>;

type TrimDeps = { records: RecordDb; devicesOf: TenantDevices; inBatches: BatchRunner; isStopping: () => boolean };

/** Deletes a tenant's oldest records until its size is at most `bytes`. */
export const createTrim = ({ records, devicesOf, inBatches, isStopping }: TrimDeps) => {
  const forDevices = async (tenancyId: string, work: (deviceIds: string[]) => Promise<void>): Promise<void> => {
    for (let after: string | undefined = ''; after !== undefined && !isStopping(); ) {
      const deviceIds: string[] = await devicesOf(tenancyId, after, DEVICES_PER_BATCH);
      if (deviceIds.length > 0) await work(deviceIds);
      after = deviceIds.at(-1);
    }
  };

  /** The time up to which the oldest records of a quarter have this many bytes. */
  const endWithin = async (tenancyId: string, begin: number, bytes: number): Promise<number> => {
    const slices = new Map<number, number>();
    await forDevices(tenancyId, async (deviceIds) => {
      for (const slice of await slicesOf(records, deviceIds, begin, begin + QUARTER_MS))
        slices.set(slice.begin, (slices.get(slice.begin) ?? 0) + slice.bytes);
    });
    let rest = bytes;
    for (const [slice, size] of [...slices].sort(([one], [other]) => one - other)) {
      if (rest <= 0) return slice;
      rest -= size;
    }
    return begin + QUARTER_MS;
  };

  return async (tenancyId: string, bytes: number, now: number): Promise<void> => {
    const quarters = await quarterBytesOf(records, tenancyId);
    const excess = quarters.reduce((sum, quarter) => sum + quarter.bytes, 0) - bytes;
    if (excess <= 0) return;
    const found = cutoffOf(quarters, excess);
    const before = found ? await endWithin(tenancyId, found.begin, found.rest) : now;
    await forDevices(tenancyId, (deviceIds) => deleteRecordsBefore(records, inBatches, deviceIds, before));
    // Remaining counts are of deleted devices.
    if (!isStopping()) await clearBytesBefore(records, quarterHourOf(before), tenancyId);
  };
};
