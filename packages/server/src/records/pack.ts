import type { Batch, Uplink } from './batch.ts';
import { columnNames } from './columns.ts';

/**
 * Form of a batch for the writer thread: structured cloning copies an object with all field names; a flat list of cells
 * is several times faster.
 */
export type PackedBatch = {
  writerNo: number;
  messages: (string | number)[];
  /** Number of samples and logs of each message. */
  sampleCounts: number[];
  logCounts: number[];
  samples: (string | number)[];
  logs: (string | number)[];
  downlinks: Batch['downlinks'];
  connects: Batch['connects'];
};

type Cells = (string | number)[];

const pushCells = <Row>(cells: Cells, row: Row, columns: (keyof Row)[]): void => {
  for (const column of columns) cells.push(row[column] as string | number);
};

const rowAt = <Row>(cells: Cells, index: number, columns: (keyof Row)[]): Row => {
  const row = {} as Record<keyof Row, unknown>;
  let at = index * columns.length;
  for (const column of columns) row[column] = cells[at++];
  return row as Row;
};

const columns = {
  messages: columnNames('message_record'),
  samples: columnNames('property_sample'),
  logs: columnNames('device_log'),
};

export const pack = ({ writerNo, uplinks, downlinks, connects }: Batch): PackedBatch => {
  const packed: PackedBatch = {
    writerNo,
    messages: [],
    sampleCounts: [],
    logCounts: [],
    samples: [],
    logs: [],
    downlinks,
    connects,
  };
  for (const { record, samples, logs } of uplinks) {
    pushCells(packed.messages, record, columns.messages);
    packed.sampleCounts.push(samples.length);
    for (const sample of samples) pushCells(packed.samples, sample, columns.samples);
    packed.logCounts.push(logs.length);
    for (const log of logs) pushCells(packed.logs, log, columns.logs);
  }
  return packed;
};

export const unpack = ({ writerNo, messages, sampleCounts, logCounts, samples, logs, ...rest }: PackedBatch): Batch => {
  let [sample, log] = [0, 0];
  const uplinks = sampleCounts.map(
    (count, index): Uplink => ({
      record: rowAt(messages, index, columns.messages),
      samples: Array.from({ length: count }, () => rowAt(samples, sample++, columns.samples)),
      logs: Array.from({ length: logCounts[index] ?? 0 }, () => rowAt(logs, log++, columns.logs)),
    }),
  );
  return { writerNo, uplinks, ...rest };
};
