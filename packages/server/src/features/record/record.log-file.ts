import { visibleText } from '@device-center/contract';
import { sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { iso } from '../../platform/time.ts';
import { levelName } from './record.rows.ts';

const DAY_MS = 86_400_000;
const PAGE_SIZE = 1_000;

const NAME = /^([A-Za-z0-9_\-.:]{1,64})_(\d{4}-\d{2}-\d{2})\.log$/;

export type LogFile = { deviceId: string; from: number };

/** Parses `{deviceId}_{yyyy-MM-dd}.log`; null for any other name. The name is never used as a file path. */
export const readLogFileName = (name: string): LogFile | null => {
  const [, deviceId = '', day = ''] = NAME.exec(name) ?? [];
  const from = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(from) || iso(from).slice(0, 10) !== day) return null;
  return { deviceId, from };
};

const linesOf = (records: RecordDb, { deviceId, from }: LogFile, firstRecordId: number) =>
  records
    .selectFrom('device_log')
    .select(['record_id', 'log_time', 'level', 'log'])
    .where('device_id', '=', deviceId)
    .where('log_time', '>=', from)
    .where('log_time', '<', from + DAY_MS)
    .where('record_id', '>=', firstRecordId);

export const hasLines = async (records: RecordDb, file: LogFile, firstRecordId: number): Promise<boolean> =>
  (await linesOf(records, file, firstRecordId).limit(1).executeTakeFirst()) !== undefined;

async function* textOf(records: RecordDb, file: LogFile, firstRecordId: number): AsyncGenerator<string> {
  let last: { log_time: number; record_id: number } | undefined;
  do {
    let rows = linesOf(records, file, firstRecordId);
    if (last) rows = rows.where(sql<boolean>`(log_time, record_id) > (${last.log_time}, ${last.record_id})`);
    const lines = await rows.orderBy('log_time').orderBy('record_id').limit(PAGE_SIZE).execute();
    // Line breaks are indented and control characters escaped, so that a device cannot forge log lines.
    const line = (row: (typeof lines)[number]) =>
      `${iso(row.log_time)} ${levelName(row.level).padEnd(5)} ${visibleText(row.log.replace(/\r\n|\r|\n/g, '\n\t'))}\n`;
    yield lines.map(line).join('');
    last = lines.length < PAGE_SIZE ? undefined : lines.at(-1);
  } while (last);
}

export const logFileAnswer = (records: RecordDb, name: string, file: LogFile, firstRecordId: number): FileAnswer => ({
  bytes: textOf(records, file, firstRecordId),
  contentType: 'text/plain; charset=utf-8',
  download: name,
});
