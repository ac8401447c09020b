import type { DeviceLogTable, MessageRecordTable, PropertySampleTable } from '../db/record-tables.ts';
import type { Batch } from './batch.ts';

/**
 * A batch on its way to the thread that writes it. Between threads an object is copied with the name of every field;
 * a flat list of cells is copied several times quicker.
 */
export type PackedBatch = {
  hubNo: number;
  messages: (string | number)[];
  /** How many samples and logs each message has. */
  sampleCounts: number[];
  logCounts: number[];
  samples: (string | number)[];
  logs: (string | number)[];
  downlinks: Batch['downlinks'];
  connects: Batch['connects'];
};

const MESSAGE_CELLS = 15;
const SAMPLE_CELLS = 5;
const LOG_CELLS = 6;

export const pack = ({ hubNo, uplinks, downlinks, connects }: Batch): PackedBatch => {
  const packed: PackedBatch = {
    hubNo,
    messages: [],
    sampleCounts: [],
    logCounts: [],
    samples: [],
    logs: [],
    downlinks,
    connects,
  };
  for (const { record: row, samples, logs } of uplinks) {
    packed.messages.push(
      row.record_id,
      row.tenancy_id,
      row.device_id,
      row.message_time,
      row.data_flow,
      row.response,
      row.message_type,
      row.function_type,
      row.function_id,
      row.code,
      row.message_id,
      row.session_id,
      row.device_time,
      row.value,
      row.envelope,
    );
    packed.sampleCounts.push(samples.length);
    for (const one of samples)
      packed.samples.push(one.device_id, one.sign_code, one.sample_time, one.record_id, one.value);
    packed.logCounts.push(logs.length);
    for (const one of logs)
      packed.logs.push(one.record_id, one.tenancy_id, one.device_id, one.log_time, one.level, one.log);
  }
  return packed;
};

type Cells = (string | number)[];

const messageAt = (cells: Cells, at: number): MessageRecordTable =>
  ({
    record_id: cells[at],
    tenancy_id: cells[at + 1],
    device_id: cells[at + 2],
    message_time: cells[at + 3],
    data_flow: cells[at + 4],
    response: cells[at + 5],
    message_type: cells[at + 6],
    function_type: cells[at + 7],
    function_id: cells[at + 8],
    code: cells[at + 9],
    message_id: cells[at + 10],
    session_id: cells[at + 11],
    device_time: cells[at + 12],
    value: cells[at + 13],
    envelope: cells[at + 14],
  }) as MessageRecordTable;

const sampleAt = (cells: Cells, at: number): PropertySampleTable =>
  ({
    device_id: cells[at],
    sign_code: cells[at + 1],
    sample_time: cells[at + 2],
    record_id: cells[at + 3],
    value: cells[at + 4],
  }) as PropertySampleTable;

const logAt = (cells: Cells, at: number): DeviceLogTable =>
  ({
    record_id: cells[at],
    tenancy_id: cells[at + 1],
    device_id: cells[at + 2],
    log_time: cells[at + 3],
    level: cells[at + 4],
    log: cells[at + 5],
  }) as DeviceLogTable;

export const unpack = ({ hubNo, messages, sampleCounts, logCounts, samples, logs, ...rest }: PackedBatch): Batch => {
  let [sample, log] = [0, 0];
  const uplinks = sampleCounts.map((count, index) => ({
    record: messageAt(messages, index * MESSAGE_CELLS),
    samples: Array.from({ length: count }, () => sampleAt(samples, sample++ * SAMPLE_CELLS)),
    logs: Array.from({ length: logCounts[index] ?? 0 }, () => logAt(logs, log++ * LOG_CELLS)),
  }));
  return { hubNo, uplinks, ...rest };
};
