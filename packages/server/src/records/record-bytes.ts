import type { ConnectRecordTable, MessageRecordTable } from '../db/record-tables.ts';

/** Size of a row without its texts, including its share of the indexes. */
export const ROW_BYTES = 300;

/** Estimated size, by the same formula as in SQL: a value is stored with the message and again as a sample. */
export const messageBytes = ({ envelope, value }: Pick<MessageRecordTable, 'envelope' | 'value'>): number =>
  ROW_BYTES + Buffer.byteLength(envelope) + 2 * Buffer.byteLength(value);

/** Rejected connections are bounded by their number instead. */
export const connectBytes = ({ status }: Pick<ConnectRecordTable, 'status'>): number => (status === 3 ? 0 : ROW_BYTES);
