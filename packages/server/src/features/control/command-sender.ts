import {
  COMMANDS_PENDING_MAX,
  type CommandResult,
  deviceCodeName,
  deviceCodes,
  isCommandDone,
  type Language,
} from '@device-center/contract';
import { change } from '../../db/change.ts';
import {
  type Command,
  insertCommands,
  isOpen,
  newCommand,
  OPEN_STATES,
  type Order,
  routeIdOf,
  timeOut,
} from '../../db/commands.ts';
import type { Db } from '../../db/connect.ts';
import { auditOfDevice, type DeviceRecord, findDevice, lockDevices } from '../../db/devices.ts';
import { storedJson } from '../../db/stored.ts';
import { problemIn } from '../../db/value-problem.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError, CommandFailure } from '../../platform/app-error.ts';
import { createTurns } from '../../platform/keyed-mutex.ts';
import type { Notifier } from '../../platform/notifier.ts';

/** Where a device's row is held for long, whoever stands behind is told so, and does not wait for his own time-out. */
const TURN_WITHIN_MS = 10_000;

/** The answer's hint may be lost, so the row is looked at in any case. */
const LOOK_EVERY_MS = 300;

const messageOf = (language: Language, { code, message }: Command): string => {
  const word = deviceCodeName(code);
  // The hub's own sentence is said in the reader's language, a device's words as they are.
  if (word && (message === '' || message === deviceCodes[word].en_US)) return deviceCodes[word][language];
  const problem = problemIn(language, message);
  return word && problem !== message ? `${deviceCodes[word][language]}: ${problem}` : message;
};

export const commandAnswer = (language: Language, row: Command): CommandResult => ({
  messageId: String(row.command_id),
  status: row.state,
  code: row.code,
  message: messageOf(language, row),
  output: row.output === null ? null : storedJson(row.output, 'device_command', row.command_id),
  costMs: row.answered_at === 0 ? 0 : Math.max(0, row.answered_at - row.created_at),
});

/** The result of a command that was carried out; any other is an error that carries it. */
const carriedOut = (result: CommandResult): CommandResult => {
  if (isCommandDone(result)) return result;
  if (result.status === 'failed') throw new CommandFailure('DEVICE_REFUSED', result);
  // Still open: the hub stops, and the command goes on without it.
  throw new CommandFailure(result.status === 'timedOut' ? 'DEVICE_TIMEOUT' : 'UNAVAILABLE', result);
};

const refuseTooMany = async (db: Db, row: DeviceRecord, viaId: string, now: number): Promise<void> => {
  const { pending } = await db
    .selectFrom('device_command')
    .select(({ fn }) => fn.countAll<number>().as('pending'))
    .where('state', 'in', OPEN_STATES)
    .where('via_id', '=', viaId)
    .where('device_id', '=', row.device_id)
    .where('deadline', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(pending) >= COMMANDS_PENDING_MAX) throw new AppError('COMMANDS_TOO_MANY', { max: COMMANDS_PENDING_MAX });
};

/** Commands are rows: written here, claimed and answered by the device side, waited for here. */
export const createCommandSender = ({ db, hints }: { db: Db; hints: Pick<Notifier, 'send' | 'wait'> }) => {
  let stopping = false;
  /** Whoever waits for a device's row waits with a connection, and there are few: one for each device is enough. */
  const inTurn = createTurns();

  const write = (
    context: Context,
    deviceId: string,
    timeout: number,
    order: (db: Db, row: DeviceRecord) => Promise<Order>,
  ) =>
    change(db, context, async (db) => {
      // Held, so that no two count the pending ones at once.
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      const asked = await order(db, row);
      if (row.online !== 1) throw new AppError('DEVICE_OFFLINE');
      const now = Date.now();
      const viaId = routeIdOf(row);
      await refuseTooMany(db, row, viaId, now);
      const creator = context.actor.username;
      const sending = { deviceId, viaId, tenancyId: row.tenancy_id, creator, now, withinMs: timeout };
      const command = newCommand(asked, sending);
      await insertCommands(db, [command]);
      const after = { functionId: asked.functionId, ...asked.payload };
      return { result: command.command_id, audit: { ...auditOfDevice(row), after } };
    });

  const read = (commandId: number): Promise<Command | undefined> =>
    db.selectFrom('device_command').selectAll().where('command_id', '=', commandId).executeTakeFirst();

  const settled = async (commandId: number): Promise<Command> => {
    for (;;) {
      const row = await read(commandId);
      // Its device was deleted meanwhile.
      if (!row) throw new AppError('DEVICE_NOT_FOUND');
      if (!isOpen(row) || stopping) return row;
      const rest = row.deadline - Date.now();
      if (rest <= 0) await timeOut(db).where('command_id', '=', commandId).execute();
      else await hints.wait('answer', Math.min(LOOK_EVERY_MS, rest));
    }
  };

  return {
    /** Sends what `order` makes of the device and its model, and waits until the device has carried it out. */
    async send(
      context: Context,
      deviceId: string,
      timeout: number,
      order: (db: Db, row: DeviceRecord) => Promise<Order>,
    ): Promise<CommandResult> {
      const askedAt = performance.now();
      const commandId = await inTurn(deviceId, () => {
        if (performance.now() - askedAt > TURN_WITHIN_MS) throw new AppError('UNAVAILABLE');
        return write(context, deviceId, timeout, order);
      });
      hints.send('command');
      return carriedOut(commandAnswer(context.language, await settled(commandId)));
    },
    /** Whoever waits is told how it stands; the command itself goes on. */
    stop(): void {
      stopping = true;
    },
  };
};

export type CommandSender = ReturnType<typeof createCommandSender>;
