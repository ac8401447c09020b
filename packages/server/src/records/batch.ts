import type { Selectable } from 'kysely';
import type {
  ConnectRecordTable,
  DeviceLogTable,
  MessageRecordTable,
  PropertySampleTable,
  QuarterCounterTable,
} from '../db/record-tables.ts';
import { connectBytes, messageBytes } from './record-bytes.ts';

/** One message from a device with all that is to be kept of it. */
export type Uplink = {
  record: MessageRecordTable;
  samples: PropertySampleTable[];
  logs: DeviceLogTable[];
};

/** What is committed together. */
export type Batch = {
  /** Under which its counters are kept: no two writers meet on a row. */
  writerNo: number;
  uplinks: Uplink[];
  downlinks: MessageRecordTable[];
  connects: ConnectRecordTable[];
};

/**
 * `repeat`: it is there already, and is acknowledged again. `conflict`: its number belongs to another message. `fault`:
 * the database will not have it, however often it is tried.
 */
export type WriteResult = 'stored' | 'duplicate' | 'conflict' | 'unstorable';

export type RecordStore = {
  /** How many batches, of different devices, it is best given at once. */
  lanes: number;
  /** Answers after the commit, a result for each uplink. Fails as a whole or not at all. */
  write: (batch: Batch) => Promise<WriteResult[]>;
  close: () => Promise<void>;
};

/** What history has to be asked to know a repeat. */
export type StoredMessage = Pick<
  MessageRecordTable,
  'device_id' | 'message_id' | 'session_id' | 'response' | 'device_time' | 'envelope'
>;

export const QUARTER_MS = 900_000;
export const quarterHourOf = (time: number): number => Math.floor(time / QUARTER_MS);
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Keeps one value a key, in the order of keys: rows are upserted sorted, or two writers would wait for each other. */
export const mergeByKey = <Row>(
  rows: Iterable<Row>,
  keyOf: (row: Row) => string,
  merge: (known: Row, next: Row) => Row,
): Row[] => {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? row : merge(known, row));
  }
  return [...byKey.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
};

export const latestOf = (samples: PropertySampleTable[]): PropertySampleTable[] =>
  mergeByKey(
    samples,
    (row) => `${row.device_id}\n${row.sign_code}`,
    (known, next) => (next.sample_time >= known.sample_time ? next : known),
  );

export const countersOf = (
  { writerNo, downlinks, connects }: Pick<Batch, 'writerNo' | 'downlinks' | 'connects'>,
  stored: Uplink[],
): Selectable<QuarterCounterTable>[] => {
  const counted = [
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
    counted.map(({ time, ...row }) => ({ ...row, quarter: quarterHourOf(time), hub_no: writerNo })),
    (row) => `${row.quarter}\n${row.tenancy_id}`,
    (known, next) => ({
      ...known,
      messages: known.messages + next.messages,
      accesses: known.accesses + next.accesses,
      bytes: known.bytes + next.bytes,
    }),
  );
};

export const logDaysOf = (logs: DeviceLogTable[]) =>
  mergeByKey(
    logs.map(({ device_id, log_time }) => ({ device_id, log_day: dayOf(log_time), lines: 1 })),
    (row) => `${row.device_id}\n${row.log_day}`,
    (known, next) => ({ ...known, lines: known.lines + next.lines }),
  );
