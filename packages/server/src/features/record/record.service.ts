import { type Input, LATEST_SHOWN, type Output, type recordCalls } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db, RecordDb } from '../../db/connect.ts';
import { storedJson } from '../../db/stored.ts';
import { findDevice } from '../../domain/device/devices.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { iso } from '../../platform/time.ts';
import { hasLines, logFileAnswer, readLogFileName } from './record.log-file.ts';
import { exportMessages, filteredMessages, firstRecordId } from './record.messages.ts';
import { readLatest } from './record.paging.ts';
import { connectAnswer, logAnswer, messageAnswer, textContains, valueAnswer } from './record.rows.ts';

type Calls = typeof recordCalls;

/** Totals are exact up to this number; beyond it, only the latest messages are listed. */
const MESSAGES_COUNTED = 10_000;

const newest = sql`record_id desc`;

/** Queries device records. The device is looked up in the caller's scope first; no query joins the two databases. */
export const createRecordService = ({ db, records }: { db: Db; records: RecordDb }) => {
  return {
    async queryDeviceLogList(
      { actor }: Context,
      input: Input<Calls['queryDeviceLogList']>,
    ): Promise<Output<Calls['queryDeviceLogList']>> {
      const device = await findDevice(db, actor, input.deviceId);
      let rows = records
        .selectFrom('device_log')
        .selectAll()
        .where('device_id', '=', input.deviceId)
        .where('record_id', '>=', firstRecordId(device));
      if (input.startTime !== undefined) rows = rows.where('log_time', '>=', input.startTime);
      if (input.endTime !== undefined) rows = rows.where('log_time', '<', input.endTime);
      if (input.level !== undefined) rows = rows.where('level', '>=', input.level);
      if (input.searchValue) rows = rows.where(textContains('log', input.searchValue));
      const page = await readLatest(records, rows, sql`log_time desc, record_id desc`, LATEST_SHOWN, input);
      return { ...page, list: page.list.map(logAnswer) };
    },

    async downloadDeviceLogFile(
      { actor }: Context,
      { logFileName }: Input<Calls['downloadDeviceLogFile']>,
    ): Promise<FileAnswer> {
      const missing = new AppError('FILE_NOT_FOUND', {}, 'logFileName');
      const file = readLogFileName(logFileName);
      if (!file) throw missing;
      const device = await findDevice(db, actor, file.deviceId).catch((error: unknown) => {
        throw error instanceof AppError ? missing : error;
      });
      if (!(await hasLines(records, file, firstRecordId(device)))) throw missing;
      return logFileAnswer(records, logFileName, file, firstRecordId(device));
    },

    async deviceConnectRecord(
      { actor, language }: Context,
      input: Input<Calls['deviceConnectRecord']>,
    ): Promise<Output<Calls['deviceConnectRecord']>> {
      const device = await findDevice(db, actor, input.deviceId);
      // Includes rejections from before the registration, if they belong to the same tenant.
      let rows = records
        .selectFrom('connect_record')
        .selectAll()
        .where('device_id', '=', input.deviceId)
        .where('tenancy_id', '=', device.tenancy_id);
      if (input.status !== undefined) rows = rows.where('status', '=', input.status);
      const page = await readLatest(records, rows, newest, LATEST_SHOWN, input);
      return { ...page, list: page.list.map((row) => connectAnswer(language, row)) };
    },

    async deviceMessageRecord(
      { actor }: Context,
      input: Input<Calls['deviceMessageRecord']>,
    ): Promise<Output<Calls['deviceMessageRecord']>> {
      const device = await findDevice(db, actor, input.deviceId);
      const rows = filteredMessages(records, device, input);
      const page = await readLatest(records, rows, newest, MESSAGES_COUNTED, input);
      return { ...page, list: page.list.map(messageAnswer) };
    },

    async exportDeviceMessages({ actor }: Context, input: Input<Calls['exportDeviceMessages']>): Promise<FileAnswer> {
      return exportMessages(records, await findDevice(db, actor, input.deviceId), input);
    },

    async getLatestValues({ actor }: Context, { deviceId }: Input<Calls['getLatestValues']>) {
      const device = await findDevice(db, actor, deviceId);
      const rows = await records
        .selectFrom('latest_value')
        .selectAll()
        .where('device_id', '=', deviceId)
        .where('record_id', '>=', firstRecordId(device))
        .orderBy('sign_code')
        .execute();
      return rows.map(valueAnswer);
    },

    async getPropertyHistory({ actor }: Context, input: Input<Calls['getPropertyHistory']>) {
      const device = await findDevice(db, actor, input.deviceId);
      let rows = records
        .selectFrom('property_sample')
        .select(['sample_time', 'value', 'record_id'])
        .where('device_id', '=', input.deviceId)
        .where('sign_code', '=', input.signCode)
        .where('record_id', '>=', firstRecordId(device));
      if (input.startTime !== undefined) rows = rows.where('sample_time', '>=', input.startTime);
      if (input.endTime !== undefined) rows = rows.where('sample_time', '<', input.endTime);
      const samples = await rows
        .orderBy('sample_time', 'desc')
        .orderBy('record_id', 'desc')
        .limit(input.limit)
        .execute();
      return samples.map((row) => ({
        time: iso(row.sample_time),
        value: storedJson(row.value, 'property_sample', row.record_id),
      }));
    },
  };
};
