import { COMMAND_TIMEOUT_MS, type controlCalls, type Input, type Output } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { readPage } from '../../db/paging.ts';
import { systemServicePayload } from '../../domain/device/commands.ts';
import { findDevice } from '../../domain/device/devices.ts';
import { assertNotSynced } from '../../domain/sync/flags.ts';
import type { Context } from '../../platform/actor.ts';
import { iso } from '../../platform/time.ts';
import { functionPayload } from './command-payloads.ts';
import { type CommandSender, commandAnswer } from './command-sender.ts';

type Calls = typeof controlCalls;
type Deps = { db: Db; commands: CommandSender };

/** Sends commands to devices and waits for their results. */
export const createControlService = ({ db, commands }: Deps) => {
  const sendSystem = (context: Context, deviceId: string, service: string, input: Record<string, unknown>) =>
    commands.send(context, deviceId, COMMAND_TIMEOUT_MS, async () => systemServicePayload(service, input));

  /** Sends a setting; settings of synchronised devices can be changed only on their own platform. */
  const sendSetting = (context: Context, deviceId: string, service: string, input: Record<string, unknown>) =>
    commands.send(context, deviceId, COMMAND_TIMEOUT_MS, async (_db, row) => {
      assertNotSynced(row, row.device_name);
      return systemServicePayload(service, input);
    });

  return {
    reboot: (context: Context, { deviceId, type }: Input<Calls['reboot']>) =>
      sendSystem(context, deviceId, 'restart', { type }),

    commandDeviceFunction: (context: Context, input: Input<Calls['commandDeviceFunction']>) =>
      commands.send(context, input.deviceId, input.timeout, functionPayload(input, context.language)),

    configLogLevel: (context: Context, { deviceId, logLevel }: Input<Calls['configLogLevel']>) =>
      sendSetting(context, deviceId, 'logLevel', { logLevel }),

    configLogSwitch: (context: Context, { deviceId, logSwitch }: Input<Calls['configLogSwitch']>) =>
      sendSetting(context, deviceId, 'logSwitch', { logSwitch }),

    async getDeviceCommands(
      { actor, language }: Context,
      input: Input<Calls['getDeviceCommands']>,
    ): Promise<Output<Calls['getDeviceCommands']>> {
      await findDevice(db, actor, input.deviceId);
      const rows = db.selectFrom('device_command').selectAll().where('device_id', '=', input.deviceId);
      // Command numbers are chronological.
      const page = await readPage(db, { rows, createdAt: 'command_id', unique: 'command_id', totalMax: 10_000 }, input);
      return {
        ...page,
        list: page.list.map((row) => ({
          ...commandAnswer(language, row),
          functionId: row.function_id,
          functionType: row.function_type,
          value: row.payload,
          creator: row.creator,
          createTime: iso(row.created_at),
        })),
      };
    },
  };
};

export type ControlService = ReturnType<typeof createControlService>;
