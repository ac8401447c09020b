import {
  COMMANDS_PENDING_MAX,
  type CommandResult,
  deviceCodeName,
  deviceCodes,
  isCommandDone,
  type Language,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { storedJson } from '../../db/stored.ts';
import { withAudit } from '../../db/with-audit.ts';
import {
  type Command,
  type CommandPayload,
  insertCommands,
  isOpen,
  newCommand,
  OPEN_STATES,
  routeIdOf,
  timeOut,
} from '../../domain/device/commands.ts';
import { auditOfDevice, type DeviceRecord, findDevice, lockDevices } from '../../domain/device/devices.ts';
import { problemIn } from '../../domain/model/value-problem.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError, CommandFailure } from '../../platform/app-error.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { Notifier } from '../../platform/notifier.ts';

/** Callers queue per device for at most this long, so that they do not wait for their own timeout on a locked row. */
const QUEUE_TIMEOUT_MS = 10_000;

/** Poll interval: the notification of a response may be lost. */
const POLL_INTERVAL_MS = 300;

const messageOf = (language: Language, { code, message }: Command): string => {
  const codeName = deviceCodeName(code);
  // The hub's own messages are translated; messages of the device are shown unchanged.
  if (codeName && (message === '' || message === deviceCodes[codeName].en_US)) return deviceCodes[codeName][language];
  const problem = problemIn(language, message);
  return codeName && problem !== message ? `${deviceCodes[codeName][language]}: ${problem}` : message;
};

export const commandAnswer = (language: Language, row: Command): CommandResult => ({
  messageId: String(row.command_id),
  status: row.state,
  code: row.code,
  message: messageOf(language, row),
  output: row.output === null ? null : storedJson(row.output, 'device_command', row.command_id),
  costMs: row.answered_at === 0 ? 0 : Math.max(0, row.answered_at - row.created_at),
});

/** Returns the result of a successful command; throws an error with the result otherwise. */
const expectDone = (result: CommandResult): CommandResult => {
  if (isCommandDone(result)) return result;
  if (result.status === 'failed') throw new CommandFailure('DEVICE_REFUSED', result);
  // Still open: this process is stopping; the command itself continues.
  throw new CommandFailure(result.status === 'timedOut' ? 'DEVICE_TIMEOUT' : 'UNAVAILABLE', result);
};

const assertBelowPendingMax = async (db: Db, row: DeviceRecord, routeId: string, now: number): Promise<void> => {
  const { pending } = await db
    .selectFrom('device_command')
    .select(({ fn }) => fn.countAll<number>().as('pending'))
    .where('state', 'in', OPEN_STATES)
    .where('via_id', '=', routeId)
    .where('device_id', '=', row.device_id)
    .where('deadline', '>', now)
    .executeTakeFirstOrThrow();
  if (Number(pending) >= COMMANDS_PENDING_MAX) throw new AppError('COMMANDS_TOO_MANY', { max: COMMANDS_PENDING_MAX });
};

/** Inserts commands as rows, which the device process claims and completes, and waits for their results. */
export const createCommandSender = ({ db, notifier }: { db: Db; notifier: Pick<Notifier, 'send' | 'wait'> }) => {
  let stopping = false;
  /** Waiting for a row lock occupies one of few pool connections, so at most one caller per device may wait. */
  const queueByDevice = createKeyedMutex();

  const insertCommand = (
    context: Context,
    deviceId: string,
    timeout: number,
    buildPayload: (db: Db, row: DeviceRecord) => Promise<CommandPayload>,
  ) =>
    withAudit(db, context, async (db) => {
      // Locked, so that concurrent callers do not count the pending commands at the same time.
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      const requested = await buildPayload(db, row);
      if (row.online !== 1) throw new AppError('DEVICE_OFFLINE');
      const now = Date.now();
      const routeId = routeIdOf(row);
      await assertBelowPendingMax(db, row, routeId, now);
      const creator = context.actor.username;
      const target = { deviceId, viaId: routeId, tenancyId: row.tenancy_id, creator, now, withinMs: timeout };
      const command = newCommand(requested, target);
      await insertCommands(db, [command]);
      const after = { functionId: requested.functionId, ...requested.payload };
      return { result: command.command_id, audit: { ...auditOfDevice(row), after } };
    });

  const read = (commandId: number): Promise<Command | undefined> =>
    db.selectFrom('device_command').selectAll().where('command_id', '=', commandId).executeTakeFirst();

  const waitForResult = async (commandId: number): Promise<Command> => {
    for (;;) {
      const row = await read(commandId);
      // The device was deleted meanwhile.
      if (!row) throw new AppError('DEVICE_NOT_FOUND');
      if (!isOpen(row) || stopping) return row;
      const rest = row.deadline - Date.now();
      if (rest <= 0) await timeOut(db).where('command_id', '=', commandId).execute();
      else await notifier.wait('answer', Math.min(POLL_INTERVAL_MS, rest));
    }
  };

  return {
    /** Sends the payload that `buildPayload` builds from the device and its model, and waits for the result. */
    async send(
      context: Context,
      deviceId: string,
      timeout: number,
      buildPayload: (db: Db, row: DeviceRecord) => Promise<CommandPayload>,
    ): Promise<CommandResult> {
      const requestedAt = performance.now();
      const commandId = await queueByDevice(deviceId, () => {
        if (performance.now() - requestedAt > QUEUE_TIMEOUT_MS) throw new AppError('UNAVAILABLE');
        return insertCommand(context, deviceId, timeout, buildPayload);
      });
      notifier.send('command');
      return expectDone(commandAnswer(context.language, await waitForResult(commandId)));
    },
    /** Ends all waits with the current state; the commands themselves continue. */
    stop(): void {
      stopping = true;
    },
  };
};

export type CommandSender = ReturnType<typeof createCommandSender>;
