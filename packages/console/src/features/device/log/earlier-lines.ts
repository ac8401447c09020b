import { LATEST_SHOWN, type LogRow, PAGE_SIZE_MAX, recordCalls } from '@device-center/contract';
import { send } from '../../../api/send.ts';

const EARLIER_LINES = 100;

/** The latest lines, oldest first. */
export const readLatest = async (deviceId: string): Promise<LogRow[]> => {
  const { list } = await send(recordCalls.queryDeviceLogList, { deviceId, pageSize: EARLIER_LINES });
  return list.reverse();
};

/**
 * The lines after the last known one, oldest first. The hub lists the latest 1000 lines only: if the known line is not
 * among them, the result is incomplete.
 */
export const readSince = async (
  deviceId: string,
  lastId: string | undefined,
): Promise<{ rows: LogRow[]; complete: boolean }> => {
  const newestFirst = new Map<string, LogRow>();
  for (let pageIndex = 1; pageIndex <= LATEST_SHOWN / PAGE_SIZE_MAX; pageIndex++) {
    const { list } = await send(recordCalls.queryDeviceLogList, { deviceId, pageIndex, pageSize: PAGE_SIZE_MAX });
    for (const row of list) {
      if (row.id === lastId) return { rows: [...newestFirst.values()].reverse(), complete: true };
      // New lines shift the pages, so that a page can repeat the end of the previous one.
      newestFirst.set(row.id, row);
    }
    if (list.length < PAGE_SIZE_MAX)
      return { rows: [...newestFirst.values()].reverse(), complete: lastId === undefined };
  }
  return { rows: [...newestFirst.values()].reverse(), complete: false };
};
