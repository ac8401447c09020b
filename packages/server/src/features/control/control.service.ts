import { COMMAND_TIMEOUT_MS, type controlCalls, type Input, type Output } from '@device-center/contract';
import { systemOrder } from '../../db/commands.ts';
import type { Db } from '../../db/connect.ts';
import { findDevice } from '../../db/devices.ts';
import { readPage } from '../../db/paging.ts';
import { assertNotSynced } from '../../db/sync-flags.ts';
import type { Context } from '../../platform/actor.ts';
import { iso } from '../../platform/time.ts';
import { functionOrder } from './command-payloads.ts';
import { type CommandSender, commandAnswer } from './command-sender.ts';

type Calls = typeof controlCalls;
type Deps = { db: Db; commands: CommandSender };

/** Commands to devices, each followed to its end. */
export const createControlService = ({ db, commands }: Deps) => {
  const sendSystem = (context: Context, deviceId: string, service: string, input: Record<string, unknown>) =>
    commands.send(context, deviceId, COMMAND_TIMEOUT_MS, async () => systemOrder(service, input));

  /** A setting of the device: managed by another installation, it is changed there. */
  const sendSetting = (context: Context, deviceId: string, service: string, input: Record<string, unknown>) =>
    commands.send(context, deviceId, COMMAND_TIMEOUT_MS, async (_db, row) => {
      assertNotSynced(row, row.device_name);
      return systemOrder(service, input);
    });

  return {
    reboot: (context: Context, { deviceId, type }: Input<Calls['reboot']>) =>
      sendSystem(context, deviceId, 'restart', { type }),

    commandDeviceFunction: (context: Context, input: Input<Calls['commandDeviceFunction']>) =>
      commands.send(context, input.deviceId, input.timeout, functionOrder(input, context.language)),

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
      // A command's number rises with time.
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
