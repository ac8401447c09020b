import type { CommandResult, controlCalls, Input, Output } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { withAudit } from '../../db/with-audit.ts';
import { lockUsableApplication } from '../../domain/application/applications.ts';
import { auditOfDevice, type DeviceRecord, findDevice, lockDevices } from '../../domain/device/devices.ts';
import { requestConfigNotice, requestDisconnect, revokeTokens } from '../../domain/device/instructions.ts';
import { cancelUpgradesOf } from '../../domain/ota/records.ts';
import { assertNotSynced } from '../../domain/sync/flags.ts';
import { findZoneForDevices } from '../../domain/zone/zones.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Notifier } from '../../platform/notifier.ts';
import type { ControlService } from './control.service.ts';

type Calls = typeof controlCalls;
type Deps = {
  db: Db;
  notifier: Pick<Notifier, 'send'>;
  control: Pick<ControlService, 'configLogLevel' | 'configLogSwitch'>;
};
type Assignment = { applicationId: string; haZoneId: number };

const assignmentOf = (row: DeviceRecord): Assignment => ({ applicationId: row.application_id, haZoneId: row.zone_id });

/** Checks only changed values: the device's current zone may have been disabled since. */
const checkAssignment = async (
  db: Db,
  context: Context,
  row: DeviceRecord,
  { applicationId, haZoneId }: Assignment,
) => {
  if (haZoneId !== row.zone_id) await findZoneForDevices(db, haZoneId);
  if (applicationId === row.application_id) return { enabled: 1 as const };
  return lockUsableApplication(db, context.actor, row.tenancy_id, applicationId);
};

/** A device's application, zone and log settings. */
export const createConfiguration = ({ db, notifier, control }: Deps) => {
  const reassign = async (context: Context, deviceId: string, requested: Partial<Assignment>): Promise<null> => {
    await withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      const before = assignmentOf(row);
      const after = { ...before, ...requested };
      if (after.haZoneId !== before.haZoneId) assertNotSynced(row, row.device_name);
      const { enabled } = await checkAssignment(db, context, row, after);
      const changed = after.applicationId !== before.applicationId || after.haZoneId !== before.haZoneId;
      if (changed)
        await db
          .updateTable('device')
          .set({ application_id: after.applicationId, zone_id: after.haZoneId, updated_at: Date.now() })
          .where('device_id', '=', deviceId)
          .execute();
      if (after.applicationId !== before.applicationId) await cancelUpgradesOf(db, [deviceId], after.applicationId);
      if (after.haZoneId !== before.haZoneId) await requestConfigNotice(db, deviceId);
      // Decisions §2: devices of a disabled application are disconnected and cannot log in.
      if (enabled === 0) {
        await revokeTokens(db, [deviceId]);
        await requestDisconnect(db, 'device', [deviceId], 'applicationDisabled');
      }
      return { result: null, audit: changed ? { ...auditOfDevice(row), before, after } : [] };
    });
    notifier.send('instruction');
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
        ...assignmentOf(row),
        loggerLevel: row.logger_level,
        realTimePushSwitch: row.real_time_push,
      };
    },

    /** Everything is validated before the first command is sent. Application and zone change after the commands. */
    async updateDeviceConfiguration(
      context: Context,
      input: Input<Calls['updateDeviceConfiguration']>,
    ): Promise<CommandResult | null> {
      const { deviceId, applicationId, haZoneId, loggerLevel, realTimePushSwitch } = input;
      const requested = { applicationId, haZoneId };
      const row = await transact(db, async (db) => {
        const row = await findDevice(db, context.actor, deviceId);
        if (loggerLevel !== row.logger_level || realTimePushSwitch !== row.real_time_push)
          assertNotSynced(row, row.device_name);
        await checkAssignment(db, context, row, requested);
        return row;
      });
      const newLevel = loggerLevel !== row.logger_level;
      const newSwitch = realTimePushSwitch !== row.real_time_push;
      if ((newLevel || newSwitch) && row.online !== 1) throw new AppError('DEVICE_OFFLINE');
      let last: CommandResult | null = null;
      if (newLevel) last = await control.configLogLevel(context, { deviceId, logLevel: loggerLevel });
      if (newSwitch) last = await control.configLogSwitch(context, { deviceId, logSwitch: realTimePushSwitch });
      await reassign(context, deviceId, requested);
      return last;
    },

    configHaArea: (context: Context, { deviceId, haZoneId }: Input<Calls['configHaArea']>) =>
      reassign(context, deviceId, { haZoneId }),

    configApplication: (context: Context, { deviceId, applicationId }: Input<Calls['configApplication']>) =>
      reassign(context, deviceId, { applicationId }),
  };
};
