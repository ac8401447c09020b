import {
  CODE_OK,
  COMMANDS_PENDING_MAX,
  type CommandResult,
  deviceCodes,
  deviceCodeWord,
  type Language,
  type MessageTypeId,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import { change } from '../../db/change.ts';
import type { Db } from '../../db/connect.ts';
import type { DeviceCommandTable } from '../../db/device-tables.ts';
import { auditOfDevice, type DeviceRecord, findDevice, holdDevices } from '../../db/devices.ts';
import { storedJson } from '../../db/stored.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Hints } from '../../platform/hints.ts';
import { newNumber } from '../../platform/ids.ts';

type Command = Selectable<DeviceCommandTable>;

export type Order = {
  messageType: MessageTypeId;
  functionType: number;
  functionId: string;
  payload: Record<string, unknown>;
};

/** The answer's hint may be lost, so the row is looked at in any case. */
const LOOK_EVERY_MS = 300;

const messageOf = (language: Language, { code, message }: Command): string => {
  const word = deviceCodeWord(code);
  return message === '' && word ? deviceCodes[word][language] : message;
};

export const commandAnswer = (language: Language, row: Command): CommandResult => ({
  messageId: String(row.command_id),
  status: row.state,
  code: row.code,
  message: messageOf(language, row),
  output: row.output === null ? null : storedJson(row.output, 'device_command', row.command_id),
  costMs: row.answered_at === 0 ? 0 : Math.max(0, row.answered_at - row.created_at),
});

/** How a command ended well. */
export const isDone = ({ status, code }: CommandResult): boolean => status === 'answered' && code === CODE_OK;

const refuseTooMany = async (db: Db, row: DeviceRecord, viaId: string, now: number): Promise<void> => {
  const { pending } = await db
    .selectFrom('device_command')
    .select(({ fn }) => fn.countAll<number>().as('pending'))
    .where('state', 'in', ['created', 'sent'])
    .where('via_id', '=', viaId)
    .where('device_id', '=', row.device_id)
    .where('deadline', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(pending) >= COMMANDS_PENDING_MAX) throw new AppError('COMMANDS_TOO_MANY', { max: COMMANDS_PENDING_MAX });
};

/** Commands are rows: written here, claimed and answered by the device side, waited for here. */
export const createCommandSender = ({ db, hints }: { db: Db; hints: Pick<Hints, 'send' | 'wait'> }) => {
  let stopping = false;

  const write = (
    context: Context,
    deviceId: string,
    timeout: number,
    order: (db: Db, row: DeviceRecord) => Promise<Order>,
  ) =>
    change(db, context, async (db) => {
      // Held, so that no two count the pending ones at once.
      await holdDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      const { messageType, functionType, functionId, payload } = await order(db, row);
      if (row.online !== 1) throw new AppError('DEVICE_OFFLINE');
      const now = Date.now();
      const viaId = row.parent_id === '' ? deviceId : row.parent_id;
      await refuseTooMany(db, row, viaId, now);
      const commandId = newNumber();
      await db
        .insertInto('device_command')
        .values({
          command_id: commandId,
          device_id: deviceId,
          tenancy_id: row.tenancy_id,
          via_id: viaId,
          message_type: messageType,
          function_type: functionType,
          function_id: functionId,
          payload: JSON.stringify(payload),
          state: 'created',
          code: 0,
          message: '',
          output: null,
          creator: context.actor.username,
          created_at: now,
          sent_at: 0,
          answered_at: 0,
          deadline: now + timeout,
        })
        .execute();
      return { result: commandId, audit: { ...auditOfDevice(row), after: { functionId, ...payload } } };
    });

  const read = (commandId: number): Promise<Command | undefined> =>
    db.selectFrom('device_command').selectAll().where('command_id', '=', commandId).executeTakeFirst();

  /** An answer that comes at the last moment wins: only what is still open times out. */
  const giveUp = async (commandId: number): Promise<void> => {
    await db
      .updateTable('device_command')
      .set({ state: 'timedOut', answered_at: Date.now() })
      .where('command_id', '=', commandId)
      .where('state', 'in', ['created', 'sent'])
      .execute();
  };

  const settled = async (commandId: number): Promise<Command> => {
    for (;;) {
      const row = await read(commandId);
      // Its device was deleted meanwhile.
      if (!row) throw new AppError('DEVICE_NOT_FOUND');
      if (row.state !== 'created' && row.state !== 'sent') return row;
      if (stopping) return row;
      const rest = row.deadline - Date.now();
      if (rest <= 0) await giveUp(commandId);
      else await hints.wait('answer', Math.min(LOOK_EVERY_MS, rest));
    }
  };

  return {
    /** Sends what `order` makes of the device and its model, and waits for the answer or the deadline. */
    async send(
      context: Context,
      deviceId: string,
      timeout: number,
      order: (db: Db, row: DeviceRecord) => Promise<Order>,
    ): Promise<CommandResult> {
      const commandId = await write(context, deviceId, timeout, order);
      hints.send('command');
      return commandAnswer(context.language, await settled(commandId));
    },
    /** Whoever waits is told how it stands; the command itself goes on. */
    stop(): void {
      stopping = true;
    },
  };
};

export type CommandSender = ReturnType<typeof createCommandSender>;
