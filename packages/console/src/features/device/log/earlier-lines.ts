import { LATEST_SHOWN, type LogRow, PAGE_SIZE_MAX, recordCalls } from '@device-center/contract';
import { send } from '../../../api/send.ts';

const EARLIER = 100;

/** The last lines, the oldest first. */
export const readLatest = async (deviceId: string): Promise<LogRow[]> => {
  const { list } = await send(recordCalls.queryDeviceLogList, { deviceId, pageSize: EARLIER });
  return list.reverse();
};

/**
 * What came after the last line that is known, the oldest first. The list goes back 1000 lines and no further; when
 * the known one is not among them, some are missing.
 */
export const readSince = async (
  deviceId: string,
  lastId: string | undefined,
): Promise<{ rows: LogRow[]; whole: boolean }> => {
  const newestFirst = new Map<string, LogRow>();
  for (let pageIndex = 1; pageIndex <= LATEST_SHOWN / PAGE_SIZE_MAX; pageIndex++) {
    const { list } = await send(recordCalls.queryDeviceLogList, { deviceId, pageIndex, pageSize: PAGE_SIZE_MAX });
    for (const row of list) {
      if (row.id === lastId) return { rows: [...newestFirst.values()].reverse(), whole: true };
      // A page moves on while lines come, and begins with the end of the one before.
      newestFirst.set(row.id, row);
    }
    if (list.length < PAGE_SIZE_MAX) return { rows: [...newestFirst.values()].reverse(), whole: lastId === undefined };
  }
  return { rows: [...newestFirst.values()].reverse(), whole: false };
};
