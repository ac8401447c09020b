import { visibleText } from '@device-center/contract';
import { sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { iso } from '../../platform/time.ts';
import { levelName } from './record.rows.ts';

const DAY_MS = 86_400_000;
const ROWS_AT_ONCE = 1_000;

const NAME = /^([A-Za-z0-9_\-.:]{1,64})_(\d{4}-\d{2}-\d{2})\.log$/;

export type LogFile = { deviceId: string; from: number };

/** `{deviceId}_{yyyy-MM-dd}.log` of a day that there is, or nothing. A name is looked up, never opened. */
export const readLogFileName = (name: string): LogFile | null => {
  const [, deviceId = '', day = ''] = NAME.exec(name) ?? [];
  const from = Date.parse(`${day}T00:00:00.000Z`);
  if (Number.isNaN(from) || iso(from).slice(0, 10) !== day) return null;
  return { deviceId, from };
};

const linesOf = (records: RecordDb, { deviceId, from }: LogFile, bornAt: number) =>
  records
    .selectFrom('device_log')
    .select(['record_id', 'log_time', 'level', 'log'])
    .where('device_id', '=', deviceId)
    .where('log_time', '>=', from)
    .where('log_time', '<', from + DAY_MS)
    .where('record_id', '>=', bornAt);

export const hasLines = async (records: RecordDb, file: LogFile, bornAt: number): Promise<boolean> =>
  (await linesOf(records, file, bornAt).limit(1).executeTakeFirst()) !== undefined;

async function* textOf(records: RecordDb, file: LogFile, bornAt: number): AsyncGenerator<string> {
  let last: { log_time: number; record_id: number } | undefined;
  do {
    let rows = linesOf(records, file, bornAt);
    if (last) rows = rows.where(sql<boolean>`(log_time, record_id) > (${last.log_time}, ${last.record_id})`);
    const lines = await rows.orderBy('log_time').orderBy('record_id').limit(ROWS_AT_ONCE).execute();
    // A line end within a line is set in, so that no device can make up another line; nor does it command a terminal.
    const line = (row: (typeof lines)[number]) =>
      `${iso(row.log_time)} ${levelName(row.level).padEnd(5)} ${visibleText(row.log.replace(/\r\n|\r|\n/g, '\n\t'))}\n`;
    yield lines.map(line).join('');
    last = lines.length < ROWS_AT_ONCE ? undefined : lines.at(-1);
  } while (last);
}

export const logFileAnswer = (records: RecordDb, name: string, file: LogFile, bornAt: number): FileAnswer => ({
  bytes: textOf(records, file, bornAt),
  contentType: 'text/plain; charset=utf-8',
  download: name,
});
