import { type Input, isDataId, type recordCalls } from '@device-center/contract';
import type { RecordDb } from '../../db/connect.ts';
import type { DeviceRecord } from '../../domain/device/devices.ts';
import { csvOf } from '../../platform/csv.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { firstSequenceIdAt } from '../../platform/ids.ts';
import { messageAnswer, textContains } from './record.rows.ts';

type Filter = Input<(typeof recordCalls)['exportDeviceMessages']>;

/** The three kinds of the filter: config, event, service. */
const functionTypes = { 1: [1], 2: [21, 22], 3: [31, 32] } as const;

/** A device's history begins with its registration: records of an earlier device under the same ID are hidden. */
export const firstRecordId = (row: DeviceRecord): number => firstSequenceIdAt(row.created_at);

/** Record numbers are chronological, so a time range is a number range. */
export const filteredMessages = (records: RecordDb, device: DeviceRecord, filter: Filter) => {
  let rows = records
    .selectFrom('message_record')
    .selectAll()
    .where('device_id', '=', device.device_id)
    .where('record_id', '>=', Math.max(firstRecordId(device), firstSequenceIdAt(filter.startTime ?? 0)));
  if (filter.endTime !== undefined) rows = rows.where('record_id', '<', firstSequenceIdAt(filter.endTime));
  if (filter.functionType !== 0) rows = rows.where('function_type', 'in', [...functionTypes[filter.functionType]]);
  if (filter.dataFlow !== 0) rows = rows.where('data_flow', '=', filter.dataFlow);
  if (filter.type !== undefined) rows = rows.where('message_type', '=', filter.type);
  if (filter.functionId) rows = rows.where(textContains('function_id', filter.functionId));
  if (filter.messageId)
    rows = rows.where('message_id', '=', isDataId(filter.messageId) ? Number(filter.messageId) : -1);
  return rows;
};

const EXPORTED_MAX = 100_000;
const PAGE_SIZE = 1_000;

const columns = [
  'messageTime',
  'dataFlow',
  'response',
  'type',
  'functionType',
  'functionId',
  'code',
  'messageId',
  'sessionId',
  'deviceTime',
  'value',
  'envelope',
] as const;

async function* pagesOf(rows: ReturnType<typeof filteredMessages>): AsyncGenerator<(string | number)[][]> {
  let before: number | undefined;
  for (let sent = 0; sent < EXPORTED_MAX; sent += PAGE_SIZE) {
    const older = before === undefined ? rows : rows.where('record_id', '<', before);
    const page = await older.orderBy('record_id', 'desc').limit(PAGE_SIZE).execute();
    yield page.map((row) => {
      const answer = messageAnswer(row);
      return columns.map((column) => answer[column]);
    });
    if (page.length < PAGE_SIZE) return;
    before = page.at(-1)?.record_id;
  }
}

export const exportMessages = (records: RecordDb, device: DeviceRecord, filter: Filter): FileAnswer => ({
  bytes: csvOf(columns, pagesOf(filteredMessages(records, device, filter))),
  contentType: 'text/csv; charset=utf-8',
  download: `messages_${device.device_id}.csv`,
});
