import type { DeviceWhy, deviceCalls, Input, Output } from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { type DeviceRecord, deviceAnswer, devicesShown, findDevice, isoOrBlank } from '../../db/devices.ts';
import { acceptsProductSecret } from '../../db/product-secret.ts';
import { zoneNameIn } from '../../db/zones.ts';
import type { Context } from '../../platform/actor.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { iso } from '../../platform/time.ts';
import { exportDevices } from './device.export.ts';
import { filteredDevices } from './device.filter.ts';
import { countByPresence, readDeviceList } from './device.list.ts';
import { whyOffline } from './device.why.ts';

type Calls = typeof deviceCalls;
type Deps = { db: Db; records: RecordDb };

/** As many days of logs as are named; retention keeps fewer. */
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

  const placesOf = async (language: Context['language'], row: DeviceRecord) => {
    const zone = await db
      .selectFrom('zone')
      .select(['zone_name', 'english'])
      .where('zone_id', '=', row.zone_id)
      .executeTakeFirst();
    // A received device may name a gateway that only another tenant has.
    const parent = await devicesShown(db, { tenancyId: row.tenancy_id }, [])
      .select(['device_name', 'online'])
      .where('device_id', '=', row.parent_id)
      .executeTakeFirst();
    return {
      zoneName: zone ? zoneNameIn(language, zone) : '',
      parentName: parent?.device_name ?? '',
      gatewayOnline: parent?.online === 1,
    };
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
      const { gatewayOnline, ...places } = await placesOf(language, row);
      const why: DeviceWhy[] = row.online === 1 ? [] : await whyOffline(records, row, gatewayOnline, language);
      return {
        ...deviceAnswer(language, row),
        ...places,
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
        why,
      };
    },
  };
};
