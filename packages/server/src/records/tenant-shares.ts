import type { RecordDb } from '../db/connect.ts';
import { QUARTER_MS, quarterHourOf } from './batch.ts';
import { deleteOldOf, type Pieces } from './old-records.ts';
import { clearBytesBefore, type QuarterBytes, quarterBytesOf, slicesOf } from './tenant-usage.ts';

const DEVICES_AT_ONCE = 200;

/**
 * The largest size that every tenant can have so that all together have no more than `target`: tenants below it keep
 * everything, so that one which stores much takes nothing from another that stores little.
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
 * Where records must go so that this many bytes are gone: all before this quarter of an hour, and of the quarter itself
 * the rest. Undefined where all of them must go.
 */
export const cutIn = (quarters: QuarterBytes[], excess: number): { begin: number; rest: number } | undefined => {
  let rest = excess;
  for (const { quarter, bytes } of quarters) {
    if (bytes > rest) return { begin: quarter * QUARTER_MS, rest };
    rest -= bytes;
  }
  return undefined;
};

export type TenantDevices = (tenancyId: string, after: string, limit: number) => Promise<string[]>;

type TrimDeps = { records: RecordDb; devicesOf: TenantDevices; inPieces: Pieces; isStopping: () => boolean };

/** Deletes a tenant's oldest records until what it has is no larger than this. */
export const createTrim = ({ records, devicesOf, inPieces, isStopping }: TrimDeps) => {
  const forDevices = async (tenancyId: string, work: (deviceIds: string[]) => Promise<void>): Promise<void> => {
    for (let after: string | undefined = ''; after !== undefined && !isStopping(); ) {
      const deviceIds: string[] = await devicesOf(tenancyId, after, DEVICES_AT_ONCE);
      if (deviceIds.length > 0) await work(deviceIds);
      after = deviceIds.at(-1);
    }
  };

  /** When the oldest records of a quarter have this many bytes. */
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
    const cut = cutIn(quarters, excess);
    const before = cut ? await endWithin(tenancyId, cut.begin, cut.rest) : now;
    await forDevices(tenancyId, (deviceIds) => deleteOldOf(records, inPieces, deviceIds, before));
    // What is still counted there is of devices that are gone.
    if (!isStopping()) await clearBytesBefore(records, quarterHourOf(before), tenancyId);
  };
};
