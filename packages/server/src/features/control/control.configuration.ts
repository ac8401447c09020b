import type { CommandResult, controlCalls, Input, Output } from '@device-center/contract';
import { holdUsableApplication } from '../../db/applications.ts';
import { change } from '../../db/change.ts';
import type { Db } from '../../db/connect.ts';
import { requestConfigNotice, requestDisconnect, revokeTokens } from '../../db/device-instructions.ts';
import { auditOfDevice, type DeviceRecord, findDevice, lockDevices } from '../../db/devices.ts';
import { transact } from '../../db/errors.ts';
import { cancelUpgradesOf } from '../../db/ota-records.ts';
import { assertNotSynced } from '../../db/sync-flags.ts';
import { findZoneForDevices } from '../../db/zones.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Notifier } from '../../platform/notifier.ts';
import type { ControlService } from './control.service.ts';

type Calls = typeof controlCalls;
type Deps = {
  db: Db;
  hints: Pick<Notifier, 'send'>;
  control: Pick<ControlService, 'configLogLevel' | 'configLogSwitch'>;
};
type Place = { applicationId: string; haZoneId: number };

const placeOf = (row: DeviceRecord): Place => ({ applicationId: row.application_id, haZoneId: row.zone_id });

/** A place it is in already is not judged anew: the zone may have been disabled since. */
const checkPlace = async (db: Db, context: Context, row: DeviceRecord, { applicationId, haZoneId }: Place) => {
  if (haZoneId !== row.zone_id) await findZoneForDevices(db, haZoneId);
  if (applicationId === row.application_id) return { enabled: 1 as const };
  return holdUsableApplication(db, context.actor, row.tenancy_id, applicationId);
};

/** Where a device belongs and connects, and how it logs. */
export const createConfiguration = ({ db, hints, control }: Deps) => {
  const move = async (context: Context, deviceId: string, wanted: Partial<Place>): Promise<null> => {
    await change(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      const before = placeOf(row);
      const after = { ...before, ...wanted };
      if (after.haZoneId !== before.haZoneId) assertNotSynced(row, row.device_name);
      const { enabled } = await checkPlace(db, context, row, after);
      const changed = after.applicationId !== before.applicationId || after.haZoneId !== before.haZoneId;
      if (changed)
        await db
          .updateTable('device')
          .set({ application_id: after.applicationId, zone_id: after.haZoneId, updated_at: Date.now() })
          .where('device_id', '=', deviceId)
          .execute();
      if (after.applicationId !== before.applicationId) await cancelUpgradesOf(db, [deviceId], after.applicationId);
      if (after.haZoneId !== before.haZoneId) await requestConfigNotice(db, deviceId);
      // Decisions §2: a disabled application's devices are cut and cannot log in.
      if (enabled === 0) {
        await revokeTokens(db, [deviceId]);
        await requestDisconnect(db, 'device', [deviceId], 'applicationDisabled');
      }
      return { result: null, audit: changed ? { ...auditOfDevice(row), before, after } : [] };
    });
    hints.send('cut');
    return null;
  };

  return {
    async getDeviceConfiguration(
      { actor }: Context,
      { deviceId }: Input<Calls['getDeviceConfiguration']>,
    ): Promise<Output<Calls['getDeviceConfiguration']>> {
      const row = await findDevice(db, actor, deviceId);
      return {
        deviceId,
        online: row.online,
        ...placeOf(row),
        loggerLevel: row.logger_level,
        realTimePushSwitch: row.real_time_push,
      };
    },

    /** What is not possible is found out before anything is sent or changed; the place follows what the device took. */
    async updateDeviceConfiguration(
      context: Context,
      input: Input<Calls['updateDeviceConfiguration']>,
    ): Promise<CommandResult | null> {
      const { deviceId, applicationId, haZoneId, loggerLevel, realTimePushSwitch } = input;
      const wanted = { applicationId, haZoneId };
      const row = await transact(db, async (db) => {
        const row = await findDevice(db, context.actor, deviceId);
        if (loggerLevel !== row.logger_level || realTimePushSwitch !== row.real_time_push)
          assertNotSynced(row, row.device_name);
        await checkPlace(db, context, row, wanted);
        return row;
      });
      const newLevel = loggerLevel !== row.logger_level;
      const newSwitch = realTimePushSwitch !== row.real_time_push;
      if ((newLevel || newSwitch) && row.online !== 1) throw new AppError('DEVICE_OFFLINE');
      let last: CommandResult | null = null;
      if (newLevel) last = await control.configLogLevel(context, { deviceId, logLevel: loggerLevel });
      if (newSwitch) last = await control.configLogSwitch(context, { deviceId, logSwitch: realTimePushSwitch });
      await move(context, deviceId, wanted);
      return last;
    },

    configHaArea: (context: Context, { deviceId, haZoneId }: Input<Calls['configHaArea']>) =>
      move(context, deviceId, { haZoneId }),

    configApplication: (context: Context, { deviceId, applicationId }: Input<Calls['configApplication']>) =>
      move(context, deviceId, { applicationId }),
  };
};
