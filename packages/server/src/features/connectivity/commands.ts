import { CODE_OK, type DeviceCodeName, deviceCodes, type Envelope, Flow } from '@device-center/contract';
import { sql } from 'kysely';
import { type Command, OPEN_STATES, timeOut } from '../../db/commands.ts';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { retryWithBackoff } from '../../db/retry.ts';
import { storedProblem } from '../../db/value-problem.ts';
import type { Delivery } from '../../mqtt/server-types.ts';
import type { Log } from '../../platform/log.ts';
import type { ConnectionRegistry, DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Downlink } from './downlink.ts';
import type { Commanded, Reading, Refusal } from './read-payload.ts';
import { settingOf } from './settings-taken.ts';

type Answer = { code: number; message: string; output: string | null };
type CommandDeps = {
  db: Db;
  hubNo: number;
  peers: ConnectionRegistry;
  /** The brokers of zones that this hub can speak through. */
  zones: {
    linked: () => number[];
    find: (deviceId: string, speakerId: string) => Promise<DeviceConnection | undefined>;
  };
  downward: Downlink;
  log: Log;
  answerHint: () => void;
};

/** How a command fails that its device did not take. */
const undelivered = {
  lost: 'AWAY',
  tooLarge: 'PACKET_LIMIT',
  unsubscribed: 'NOT_SUBSCRIBED',
} as const satisfies Record<Exclude<Delivery, 'taken'>, DeviceCodeName>;

const AT_ONCE = 200;
const RETRY = { firstMs: 100, lastMs: 2_000 };

/**
 * Commands are rows. The device side claims those of its own connections, commits, and then writes to the socket: at
 * most once. The answer finds its row by number, also after a restart.
 */
export const createCommands = ({ db, hubNo, peers, zones, downward, log, answerHint }: CommandDeps) => {
  let running: Promise<void> | undefined;
  let again = false;
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
          // A zone's devices are nobody's: any hub that its broker hears may take the command, and one does.
          row.and([row('device.hub_no', '=', 0), row('device.link_zone_id', 'in', [-1, ...zones.linked()])]),
        ]),
      )
      .where('device.online', '=', 1)
      .orderBy('device_command.command_id')
      .limit(AT_ONCE)
      .execute();
    if (waiting.length === 0) return [];
    const { rows } = await sql<Command>`
      update device_command set state = 'sent', sent_at = ${Date.now()}
      where state = 'created' and command_id in (${sql.join(waiting.map(({ command_id }) => command_id))})
      returning *`.execute(db);
    return rows.sort((one, other) => one.command_id - other.command_id);
  };

  const fail = async (command: Command, word: keyof typeof deviceCodes): Promise<void> => {
    const { number, en_US } = deviceCodes[word];
    const { numUpdatedRows } = await db
      .updateTable('device_command')
      .set({ state: 'failed', code: number, message: en_US, answered_at: Date.now() })
      .where('command_id', '=', command.command_id)
      .where('state', '=', 'sent')
      .executeTakeFirst();
    results.failed += Number(numUpdatedRows);
    answerHint();
  };

  const deliver = async (command: Command): Promise<void> => {
    const peer = peers.get(command.via_id) ?? (await zones.find(command.via_id, command.device_id));
    const speaker = command.device_id === command.via_id ? peer : peer?.children.get(command.device_id);
    if (!peer || !speaker) return fail(command, 'AWAY');
    const delivery = await downward.send(peer, speaker, {
      dataFlow: Flow.request,
      type: command.message_type,
      dataId: String(command.command_id),
      payload: command.payload,
      functionType: command.function_type,
      functionId: command.function_id,
    });
    if (delivery === 'taken') sent++;
    else await fail(command, undelivered[delivery]);
  };

  const run = async (): Promise<void> => {
    do {
      again = false;
      const claimed = await claim();
      for (const command of claimed)
        deliver(command).catch((error: unknown) => log.error({ err: error }, 'a command could not be delivered'));
      if (claimed.length === AT_ONCE) again = true;
    } while (again);
  };

  /** Only what is still open is answered. */
  const close = async (db: Db, speaker: DeviceSession, { dataId, type }: Envelope, answer: Answer) => {
    const { rows } = await sql<Command>`
      update device_command set state = ${answer.code === CODE_OK ? 'answered' : 'failed'}, code = ${answer.code},
        message = ${answer.message.replaceAll('\0', '')}, output = ${answer.output},
        answered_at = ${Date.now()}
      where command_id = ${Number(dataId)} and device_id = ${speaker.deviceId}
        and message_type = ${type} and state in (${sql.join(OPEN_STATES)})
      returning *`.execute(db);
    return rows[0];
  };

  /** The command is done and its setting taken over, or neither: whoever waits for it may be gone by now. */
  const write = (speaker: DeviceSession, envelope: Envelope, answer: Answer) =>
    transact(db, async (db) => {
      const command = await close(db, speaker, envelope, answer);
      if (!command) return undefined;
      const setting = answer.code === CODE_OK ? settingOf(command) : undefined;
      if (setting)
        await db
          .updateTable('device')
          .set({ ...setting.columns, updated_at: Date.now() })
          .where('device_id', '=', speaker.deviceId)
          .execute();
      return { setting };
    });

  /** A problem with a value is stored without a language; the answer's code says that it is one. */
  const messageOf = ([word, detail]: Refusal): string =>
    typeof detail === 'string' ? `${deviceCodes[word].en_US}: ${detail}` : storedProblem(detail);

  /** An answer whose properties do not fit the model is none, whatever code the device gave it. */
  const settle = async (
    speaker: DeviceSession,
    envelope: Envelope,
    { code, refusal, output }: Reading,
  ): Promise<void> => {
    const answer = {
      code,
      message: refusal ? messageOf(refusal) : (envelope.message ?? ''),
      output: refusal ? null : (output ?? null),
    };
    const written = await write(speaker, envelope, answer);
    if (!written) return;
    results[answer.code === CODE_OK ? 'succeeded' : 'failed']++;
    Object.assign(speaker, written.setting?.speaker);
    answerHint();
  };

  /** What an answer is of; nothing where the hub asked by another way than a command. */
  const findCommanded = async ({ deviceId }: DeviceSession, { dataId }: Envelope): Promise<Commanded | undefined> => {
    const row = await db
      .selectFrom('device_command')
      .select(['function_type', 'function_id'])
      .where('command_id', '=', Number(dataId))
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    return row && { functionType: row.function_type, functionId: row.function_id };
  };

  return {
    /** Waits for the database, as the answer does that is to be stored. */
    commandedBy(speaker: DeviceSession, envelope: Envelope): Promise<Commanded | undefined> {
      const waits = (error: unknown): void => log.warn({ err: error }, 'an answer to a command waits for the database');
      return retryWithBackoff(() => findCommanded(speaker, envelope), { ...RETRY, waits });
    },
    /** Looks for commands of its own connections; while it looks, further calls are one more look. */
    look(): Promise<void> {
      again = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Until it is written: the answer is acknowledged afterwards. */
    answered(speaker: DeviceSession, envelope: Envelope, reading: Reading): Promise<void> {
      const waits = (error: unknown): void => log.warn({ err: error }, 'an answer to a command waits for the database');
      return retryWithBackoff(() => settle(speaker, envelope, reading), { ...RETRY, waits }).catch((error: unknown) =>
        log.error({ err: error }, 'an answer was not written'),
      );
    },
    /** Since the start of this process. */
    counts: () => ({ sent, results }),
    async sweep(): Promise<void> {
      await timeOut(db).where('deadline', '<', Date.now()).execute();
    },
  };
};

export type Commands = ReturnType<typeof createCommands>;
