import { CODE_OK, type DeviceCodeName, deviceCodes, type Envelope, Flow } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { retryWithBackoff } from '../../db/retry.ts';
import { type Command, OPEN_STATES, timeOut } from '../../domain/device/commands.ts';
import { storedProblem } from '../../domain/model/value-problem.ts';
import type { Delivery } from '../../mqtt/server-types.ts';
import type { Log } from '../../platform/log.ts';
import { settingOf } from './applied-settings.ts';
import type { ConnectionRegistry, DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Downlink } from './downlink.ts';
import type { FunctionRef, PayloadData, PayloadError } from './read-payload.ts';

type CommandAnswer = { code: number; message: string; output: string | null };
type CommandDeps = {
  db: Db;
  hubNo: number;
  connections: ConnectionRegistry;
  /** Devices connected through the zone brokers that this hub is connected to. */
  zones: {
    linked: () => number[];
    find: (deviceId: string, senderId: string) => Promise<DeviceConnection | undefined>;
  };
  downlink: Downlink;
  log: Log;
  notifyAnswered: () => void;
};

/** Error code of a command that was not delivered. */
const deliveryErrors = {
  lost: 'AWAY',
  tooLarge: 'PACKET_LIMIT',
  unsubscribed: 'NOT_SUBSCRIBED',
} as const satisfies Record<Exclude<Delivery, 'delivered'>, DeviceCodeName>;

const BATCH_SIZE = 200;
const RETRY = { initialDelayMs: 100, maxDelayMs: 2_000 };

/**
 * Sends the commands that are rows of `device_command`. The device process claims those of its own connections, commits
 * the claim and then sends: at most once. A response is matched to its row by number, also after a restart.
 */
export const createCommands = ({ db, hubNo, connections, zones, downlink, log, notifyAnswered }: CommandDeps) => {
  let running: Promise<void> | undefined;
  let rerun = false;
  let sent = 0;
  const results = { succeeded: 0, failed: 0 };

  const claim = async (): Promise<Command[]> => {
    const waiting = await db
      .selectFrom('device_command')
      .innerJoin('device', 'device.device_id', 'device_command.via_id')
      .select('device_command.command_id')
      .where('device_command.state', '=', 'created')
      .where((row) =>
        row.or([
          row('device.hub_no', '=', hubNo),
          // Devices on a zone broker belong to no hub: any hub connected to the broker may claim the command.
          row.and([row('device.hub_no', '=', 0), row('device.link_zone_id', 'in', [-1, ...zones.linked()])]),
        ]),
      )
      .where('device.online', '=', 1)
      .orderBy('device_command.command_id')
      .limit(BATCH_SIZE)
      .execute();
    if (waiting.length === 0) return [];
    const { rows } = await sql<Command>`
      update device_command set state = 'sent', sent_at = ${Date.now()}
      where state = 'created' and command_id in (${sql.join(waiting.map(({ command_id }) => command_id))})
      returning *`.execute(db);
    return rows.sort((one, other) => one.command_id - other.command_id);
  };

  const fail = async (command: Command, codeName: keyof typeof deviceCodes): Promise<void> => {
    const { number, en_US } = deviceCodes[codeName];
    const { numUpdatedRows } = await db
      .updateTable('device_command')
      .set({ state: 'failed', code: number, message: en_US, answered_at: Date.now() })
      .where('command_id', '=', command.command_id)
      .where('state', '=', 'sent')
      .executeTakeFirst();
    results.failed += Number(numUpdatedRows);
    notifyAnswered();
  };

  const deliver = async (command: Command): Promise<void> => {
    const connection = connections.get(command.via_id) ?? (await zones.find(command.via_id, command.device_id));
    const session = command.device_id === command.via_id ? connection : connection?.children.get(command.device_id);
    if (!connection || !session) return fail(command, 'AWAY');
    const delivery = await downlink.send(connection, session, {
      dataFlow: Flow.request,
      type: command.message_type,
      dataId: String(command.command_id),
      payload: command.payload,
      functionType: command.function_type,
      functionId: command.function_id,
    });
    if (delivery === 'delivered') sent++;
    else await fail(command, deliveryErrors[delivery]);
  };

  const run = async (): Promise<void> => {
    do {
      rerun = false;
      const claimed = await claim();
      for (const command of claimed)
        deliver(command).catch((error: unknown) => log.error({ err: error }, 'command delivery failed'));
      if (claimed.length === BATCH_SIZE) rerun = true;
    } while (rerun);
  };

  /** Closes the command if it is still open. */
  const close = async (db: Db, session: DeviceSession, { dataId, type }: Envelope, answer: CommandAnswer) => {
    const { rows } = await sql<Command>`
      update device_command set state = ${answer.code === CODE_OK ? 'answered' : 'failed'}, code = ${answer.code},
        message = ${answer.message.replaceAll('\0', '')}, output = ${answer.output},
        answered_at = ${Date.now()}
      where command_id = ${Number(dataId)} and device_id = ${session.deviceId}
        and message_type = ${type} and state in (${sql.join(OPEN_STATES)})
      returning *`.execute(db);
    return rows[0];
  };

  /** Closes the command and applies its setting in one transaction: the waiting request may have ended by now. */
  const closeAndApply = (session: DeviceSession, envelope: Envelope, answer: CommandAnswer) =>
    transact(db, async (db) => {
      const command = await close(db, session, envelope, answer);
      if (!command) return undefined;
      const setting = answer.code === CODE_OK ? settingOf(command) : undefined;
      if (setting)
        await db
          .updateTable('device')
          .set({ ...setting.columns, updated_at: Date.now() })
          .where('device_id', '=', session.deviceId)
          .execute();
      return { setting };
    });

  /** Value problems are stored language-independently; the code tells the reader that the message is one. */
  const errorMessageOf = ([codeName, detail]: PayloadError): string =>
    typeof detail === 'string' ? `${deviceCodes[codeName].en_US}: ${detail}` : storedProblem(detail);

  /** A response whose properties violate the model fails the command, whatever code the device reported. */
  const storeResult = async (
    session: DeviceSession,
    envelope: Envelope,
    { code, error, output }: PayloadData,
  ): Promise<void> => {
    const answer = {
      code,
      message: error ? errorMessageOf(error) : (envelope.message ?? ''),
      output: error ? null : (output ?? null),
    };
    const closed = await closeAndApply(session, envelope, answer);
    if (!closed) return;
    results[answer.code === CODE_OK ? 'succeeded' : 'failed']++;
    Object.assign(session, closed.setting?.session);
    notifyAnswered();
  };

  /** The property or service that a response belongs to; undefined if the request was not a stored command. */
  const findCommandedFunction = async (
    { deviceId }: DeviceSession,
    { dataId }: Envelope,
  ): Promise<FunctionRef | undefined> => {
    const row = await db
      .selectFrom('device_command')
      .select(['function_type', 'function_id'])
      .where('command_id', '=', Number(dataId))
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    return row && { functionType: row.function_type, functionId: row.function_id };
  };

  return {
    /** Retries until the database responds: the response must be stored anyway. */
    commandedFunction(session: DeviceSession, envelope: Envelope): Promise<FunctionRef | undefined> {
      const onRetry = (error: unknown): void => log.warn({ err: error }, 'command lookup failed, retrying');
      return retryWithBackoff(() => findCommandedFunction(session, envelope), { ...RETRY, onRetry });
    },
    /** Sends pending commands of own connections. Calls during a run are merged into one more run. */
    poll(): Promise<void> {
      rerun = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Retries until the result is committed; the response is acknowledged afterwards. */
    onResponse(session: DeviceSession, envelope: Envelope, parsed: PayloadData): Promise<void> {
      const onRetry = (error: unknown): void => log.warn({ err: error }, 'command result not stored, retrying');
      return retryWithBackoff(() => storeResult(session, envelope, parsed), { ...RETRY, onRetry }).catch(
        (error: unknown) => log.error({ err: error }, 'command result could not be stored'),
      );
    },
    /** Counts since the start of the process. */
    counts: () => ({ sent, results }),
    async sweep(): Promise<void> {
      await timeOut(db).where('deadline', '<', Date.now()).execute();
    },
  };
};

export type Commands = ReturnType<typeof createCommands>;
