import {
  type ConnectRow,
  type Language,
  type LatestValue,
  type LogRow,
  logLevels,
  type MessageRow,
} from '@device-center/contract';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type {
  ConnectRecordTable,
  DeviceLogTable,
  MessageRecordTable,
  PropertySampleTable,
} from '../../db/record-tables.ts';
import { storedJson } from '../../db/stored.ts';
import { problemIn } from '../../domain/model/value-problem.ts';
import { iso, isoOrBlank } from '../../platform/time.ts';

export const connectAnswer = (language: Language, row: Selectable<ConnectRecordTable>): ConnectRow => ({
  id: String(row.record_id),
  deviceId: row.device_id,
  productId: row.product_id,
  connectTime: iso(row.connect_time),
  status: row.status,
  reason: row.reason,
  place: row.place,
  detail: problemIn(language, row.detail),
  ip: row.ip,
  transport: row.transport,
  durationMs: row.duration_ms,
});

export const messageAnswer = (row: Selectable<MessageRecordTable>): MessageRow => ({
  id: String(row.record_id),
  deviceId: row.device_id,
  messageTime: iso(row.message_time),
  type: row.message_type,
  functionType: row.function_type,
  functionId: row.function_id,
  code: row.code,
  messageId: String(row.message_id),
  sessionId: row.session_id,
  value: row.value,
  dataFlow: row.data_flow,
  response: row.response,
  deviceTime: isoOrBlank(row.device_time),
  envelope: row.envelope,
});

const levelNames = new Map<number, string>(Object.entries(logLevels).map(([level, name]) => [Number(level), name]));
export const levelName = (level: number): string => levelNames.get(level) ?? String(level);

export const logAnswer = (row: Selectable<DeviceLogTable>): LogRow => ({
  id: String(row.record_id),
  deviceId: row.device_id,
  createTime: iso(row.log_time),
  level: row.level,
  levelName: levelName(row.level),
  log: row.log,
});

export const valueAnswer = (row: Selectable<PropertySampleTable>): LatestValue => ({
  signCode: row.sign_code,
  value: storedJson(row.value, 'latest_value', `${row.device_id} ${row.sign_code}`),
  time: iso(row.sample_time),
});

/** Records have no case-folded columns, so the search compares lower-case text. */
export const textContains = (column: string, word: string): RawBuilder<SqlBool> => {
  const pattern = `%${word.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
};
