import type { deviceCalls, Input, OfflineReason, Output } from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { deviceAnswer, findDevice } from '../../domain/device/devices.ts';
import { acceptsProductSecret } from '../../domain/product/secret.ts';
import { zoneNameIn } from '../../domain/zone/zones.ts';
import type { Context } from '../../platform/actor.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { iso, isoOrBlank } from '../../platform/time.ts';
import { exportDevices } from './device.export.ts';
import { filteredDevices } from './device.filter.ts';
import { countByPresence, readDeviceList } from './device.list.ts';
import { readOfflineReasons } from './device.offline-reasons.ts';

type Calls = typeof deviceCalls;
type Deps = { db: Db; records: RecordDb };

/** Limit of listed log days; retention keeps fewer. */
const LOG_FILES_MAX = 400;

export const createDeviceService = ({ db, records }: Deps) => {
  const logFilesOf = async (deviceId: string): Promise<string[]> => {
    const days = await records
      .selectFrom('device_log_day')
      .select('log_day')
      .where('device_id', '=', deviceId)
      .orderBy('log_day', 'desc')
      .limit(LOG_FILES_MAX)
      .execute();
    return days.map(({ log_day }) => `${deviceId}_${log_day}.log`);
  };

  const zoneNameOf = async (language: Context['language'], zoneId: number): Promise<string> => {
    const zone = await db
      .selectFrom('zone')
      .select(['zone_name', 'english'])
      .where('zone_id', '=', zoneId)
      .executeTakeFirst();
    return zone ? zoneNameIn(language, zone) : '';
  };

  return {
    async queryDeviceList(
      { actor, language }: Context,
      input: Input<Calls['queryDeviceList']>,
    ): Promise<Output<Calls['queryDeviceList']>> {
      const found = await filteredDevices(db, actor, input);
      const { pageIndex, pageSize } = input;
      if (!found) return { pageIndex, pageSize, total: 0, list: [] };
      return readDeviceList(db, found, language, input);
    },

    async countDevices({ actor }: Context, input: Input<Calls['countDevices']>) {
      const found = await filteredDevices(db, actor, input);
      if (!found) return { total: 0, online: 0, offline: 0 };
      return countByPresence(db, found);
    },

    async exportDeviceList({ actor, language }: Context, input: Input<Calls['exportDeviceList']>): Promise<FileAnswer> {
      return exportDevices(db, await filteredDevices(db, actor, input), language);
    },

    async getDeviceDetails(
      { actor, language }: Context,
      { deviceId }: Input<Calls['getDeviceDetails']>,
    ): Promise<Output<Calls['getDeviceDetails']>> {
      const row = await findDevice(db, actor, deviceId);
      const offlineReasons: OfflineReason[] = row.online === 1 ? [] : await readOfflineReasons(records, row, language);
      return {
        ...deviceAnswer(language, row),
        zoneName: await zoneNameOf(language, row.zone_id),
        parentName: row.gateway_name ?? '',
        productKey: row.product_id,
        loggerLevel: row.logger_level,
        realTimePushSwitch: row.real_time_push,
        hardware: row.hardware,
        sdk: row.sdk,
        signMethod: row.sign_method,
        ip: row.ip,
        transport: row.transport,
        firstConnectTime: isoOrBlank(row.first_connect_at),
        secretProven: row.secret_proven,
        productSecretAccepted: acceptsProductSecret(row, row.allow_register, Date.now()) ? 1 : 0,
        reregisterUntil: row.reregister_until > Date.now() ? iso(row.reregister_until) : '',
        modelVersion: row.model_version,
        blackTime: isoOrBlank(row.black_at),
        blackReason: row.black_reason,
        blackBy: row.black_by,
        logFiles: await logFilesOf(deviceId),
        why: offlineReasons,
      };
    },
  };
};
