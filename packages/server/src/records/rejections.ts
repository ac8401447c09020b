import type { DeviceCodeName } from '@device-center/contract';
import type { RecordDb } from '../db/connect.ts';
import type { ConnectRecordTable } from '../db/record-tables.ts';
import type { Log } from '../platform/log.ts';
import { type RejectionStage, rejectedRow } from './connection-events.ts';

/** Somebody was turned away: what an operator wants to know when a device does not come online. */
export type Refusal = {
  tenancyId: string;
  productId: string;
  deviceId: string;
  cause: DeviceCodeName;
  place: RejectionStage;
  detail?: string;
  ip: string;
  transport?: string;
};

export const rejectionRow = (refusal: Refusal, time: number = Date.now()): ConnectRecordTable => {
  const { cause, place, detail = '', ip, transport = '' } = refusal;
  return rejectedRow(refusal, { at: time, ip, transport }, place, cause, detail);
};

const FLUSH_MS = 200;
const WAITING_MAX = 1_000;

/** Writes refusals a few times a second, and no more than it can: whoever knocks without end must not fill the disk. */
export const createRejectionWriter = (records: RecordDb, log: Log) => {
  let waiting: ConnectRecordTable[] = [];
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    timer = undefined;
    const rows = waiting;
    waiting = [];
    writing = writing
      .then(() => records.insertInto('connect_record').values(rows).execute())
      .then(
        () => undefined,
        (error: unknown) => log.warn({ err: error, refusals: rows.length }, 'refusals could not be written'),
      );
  };

  return {
    record(refusal: Refusal): void {
      if (waiting.length >= WAITING_MAX) return;
      waiting.push(rejectionRow(refusal));
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    async close(): Promise<void> {
      if (timer) {
        clearTimeout(timer);
        flush();
      }
      await writing;
    },
  };
};
