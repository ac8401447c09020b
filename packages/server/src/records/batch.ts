import type { Selectable } from 'kysely';
import type {
  ConnectRecordTable,
  DeviceLogTable,
  MessageRecordTable,
  PropertySampleTable,
  QuarterCounterTable,
} from '../db/record-tables.ts';
import { connectBytes, messageBytes } from './record-bytes.ts';

/** A message from a device with everything that is stored for it. */
export type Uplink = {
  record: MessageRecordTable;
  samples: PropertySampleTable[];
  logs: DeviceLogTable[];
};

/** Rows that are committed together. */
export type Batch = {
  /** Writer id of its counter rows, so that no two writers update the same row. */
  writerNo: number;
  uplinks: Uplink[];
  downlinks: MessageRecordTable[];
  connects: ConnectRecordTable[];
};

/**
 * `duplicate`: already stored, acknowledge again. `conflict`: its number belongs to another message. `unstorable`: the
 * database rejects it permanently.
 */
export type WriteResult = 'stored' | 'duplicate' | 'conflict' | 'unstorable';

export type RecordStore = {
  /** Number of batches, of different devices, to write concurrently. */
  parallelWrites: number;
  /** Resolves after the commit with a result for each uplink. A batch is written completely or not at all. */
  write: (batch: Batch) => Promise<WriteResult[]>;
  close: () => Promise<void>;
};

/** Columns that are compared to detect a duplicate. */
export type StoredMessage = Pick<
  MessageRecordTable,
  'device_id' | 'message_id' | 'session_id' | 'response' | 'device_time' | 'envelope'
>;

export const QUARTER_MS = 900_000;
export const quarterHourOf = (time: number): number => Math.floor(time / QUARTER_MS);
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Merges rows with the same key and sorts them: rows are upserted in key order to avoid deadlocks between writers. */
export const mergeByKey = <Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
  merge: (previous: Row, next: Row) => Row,
): Row[] => {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const previous = byKey.get(key);
    byKey.set(key, previous === undefined ? row : merge(previous, row));
  }
  return [...byKey.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
};

export const latestOf = (samples: PropertySampleTable[]): PropertySampleTable[] =>
  mergeByKey(
    samples,
    (row) => `${row.device_id}\n${row.sign_code}`,
    (previous, next) => (next.sample_time >= previous.sample_time ? next : previous),
  );

export const countersOf = (
  { writerNo, downlinks, connects }: Pick<Batch, 'writerNo' | 'downlinks' | 'connects'>,
  stored: Uplink[],
): Selectable<QuarterCounterTable>[] => {
  const counters = [
    ...stored.map(({ record }) => ({
      time: record.message_time,
      tenancy_id: record.tenancy_id,
      messages: 1,
      accesses: 0,
      bytes: messageBytes(record),
    })),
    ...downlinks.map((record) => ({
      time: record.message_time,
      tenancy_id: record.tenancy_id,
      messages: 0,
      accesses: 0,
      bytes: messageBytes(record),
    })),
    ...connects
      .filter(({ status }) => status !== 3)
      .map((record) => ({
        time: record.connect_time,
        tenancy_id: record.tenancy_id,
        messages: 0,
        accesses: record.status === 1 ? 1 : 0,
        bytes: connectBytes(record),
      })),
  ];
  return mergeByKey(
    counters.map(({ time, ...row }) => ({ ...row, quarter: quarterHourOf(time), hub_no: writerNo })),
    (row) => `${row.quarter}\n${row.tenancy_id}`,
    (previous, next) => ({
      ...previous,
      messages: previous.messages + next.messages,
      accesses: previous.accesses + next.accesses,
      bytes: previous.bytes + next.bytes,
    }),
  );
};

export const logDaysOf = (logs: DeviceLogTable[]) =>
  mergeByKey(
    logs.map(({ device_id, log_time }) => ({ device_id, log_day: dayOf(log_time), lines: 1 })),
    (row) => `${row.device_id}\n${row.log_day}`,
    (previous, next) => ({ ...previous, lines: previous.lines + next.lines }),
  );
