import {
  COMMAND_TIMEOUT_MS,
  type CommandResult,
  type controlCalls,
  type Input,
  type Output,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { findDevice } from '../../db/devices.ts';
import { readPage } from '../../db/paging.ts';
import type { Context } from '../../platform/actor.ts';
import { iso } from '../../platform/time.ts';
import { type CommandSender, commandAnswer, isDone, type Order } from './command-sender.ts';
import { functionOrder, systemOrder } from './orders.ts';

type Calls = typeof controlCalls;
type Deps = { db: Db; commands: CommandSender };

/** Which column remembers a setting that a service of the system changes. */
const remembered = (service: string, input: Record<string, unknown>) => {
  if (service === 'logLevel') return { logger_level: input.logLevel as 2 | 3 | 4 | 5 | 6 | 7 | 8 };
  if (service === 'logSwitch') return { real_time_push: input.logSwitch as 0 | 1 };
  return null;
};

/** Commands to devices, each followed to its end. */
export const createControlService = ({ db, commands }: Deps) => {
  /** What the device has taken over is remembered, and only then. */
  const remember = async (deviceId: string, { functionType, functionId, payload }: Order): Promise<void> => {
    const columns = functionType === 31 ? remembered(functionId, payload.input as Record<string, unknown>) : null;
    if (columns)
      await db
        .updateTable('device')
        .set({ ...columns, updated_at: Date.now() })
        .where('device_id', '=', deviceId)
        .execute();
  };

  const send = async (
    context: Context,
    deviceId: string,
    order: ReturnType<typeof functionOrder>,
    timeout = COMMAND_TIMEOUT_MS,
  ): Promise<CommandResult> => {
    let sent: Order | undefined;
    const result = await commands.send(context, deviceId, timeout, async (db, row) => {
      sent = await order(db, row);
      return sent;
    });
    if (sent && isDone(result)) await remember(deviceId, sent);
    return result;
  };

  const sendSystem = (context: Context, deviceId: string, service: string, input: Record<string, unknown>) =>
    send(context, deviceId, async () => systemOrder(service, input));

  return {
    reboot: (context: Context, { deviceId, type }: Input<Calls['reboot']>) =>
      sendSystem(context, deviceId, 'restart', { type }),

    commandDeviceFunction: (context: Context, input: Input<Calls['commandDeviceFunction']>) =>
      send(context, input.deviceId, functionOrder(input, context.language), input.timeout),

    configLogLevel: (context: Context, { deviceId, logLevel }: Input<Calls['configLogLevel']>) =>
      sendSystem(context, deviceId, 'logLevel', { logLevel }),

    configLogSwitch: (context: Context, { deviceId, logSwitch }: Input<Calls['configLogSwitch']>) =>
      sendSystem(context, deviceId, 'logSwitch', { logSwitch }),

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
