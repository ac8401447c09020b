import type { DeviceCodeName } from '@device-center/contract';
import type { RecordDb } from '../db/connect.ts';
import type { ConnectRecordTable } from '../db/record-tables.ts';
import type { Log } from '../platform/log.ts';
import { type RejectionStage, rejectedRow } from './connection-events.ts';

/** A rejected login, connection or message: operators need it when a device does not come online. */
export type Rejection = {
  tenancyId: string;
  productId: string;
  deviceId: string;
  cause: DeviceCodeName;
  place: RejectionStage;
  detail?: string;
  ip: string;
  transport?: string;
};

export const rejectionRow = (rejection: Rejection, time: number = Date.now()): ConnectRecordTable => {
  const { cause, place, detail = '', ip, transport = '' } = rejection;
  return rejectedRow(rejection, { at: time, ip, transport }, place, cause, detail);
};

const FLUSH_MS = 200;
const PENDING_MAX = 1_000;

/** Writes rejections a few times a second and drops the excess, so that endless attempts cannot fill the disk. */
export const createRejectionWriter = (records: RecordDb, log: Log) => {
  let pending: ConnectRecordTable[] = [];
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    timer = undefined;
    const rows = pending;
    pending = [];
    writing = writing
      .then(() => records.insertInto('connect_record').values(rows).execute())
      .then(
        () => undefined,
        (error: unknown) => log.warn({ err: error, rejections: rows.length }, 'rejections not written'),
      );
  };

  return {
    record(rejection: Rejection): void {
      if (pending.length >= PENDING_MAX) return;
      pending.push(rejectionRow(rejection));
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
