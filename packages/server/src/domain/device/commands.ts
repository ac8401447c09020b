import { FunctionType, MessageType, type MessageTypeId } from '@device-center/contract';
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { DeviceCommandTable, DeviceTable } from '../../db/hub-tables.ts';
import { nextSequenceId } from '../../platform/ids.ts';

export type Command = Selectable<DeviceCommandTable>;
export type NewCommand = Insertable<DeviceCommandTable>;

/** Content of a command. */
export type CommandPayload = { messageType: MessageTypeId; functionType: number; functionId: string; payload: object };

/** Target device, route, time limit and creator of a command. */
export type CommandTarget = {
  deviceId: string;
  viaId: string;
  tenancyId: string;
  creator: string;
  now: number;
  withinMs: number;
};

/** States of a command that has neither a result nor a time-out. */
export const OPEN_STATES = ['created', 'sent'] as const;
export const isOpen = ({ state }: Pick<Command, 'state'>): boolean => state === 'created' || state === 'sent';

/** The device that receives the message: the gateway of a child device, else the device itself. */
export const routeIdOf = ({
  device_id,
  parent_id,
}: Pick<Selectable<DeviceTable>, 'device_id' | 'parent_id'>): string => (parent_id === '' ? device_id : parent_id);

/** Call of a system service, which every device has. */
export const systemServicePayload = (service: string, input: object): CommandPayload => ({
  messageType: MessageType.service,
  functionType: FunctionType.systemService,
  functionId: service,
  payload: { service, input },
});

export const newCommand = (
  content: CommandPayload,
  { deviceId, viaId, tenancyId, creator, now, withinMs }: CommandTarget,
) =>
  ({
    command_id: nextSequenceId(),
    device_id: deviceId,
    tenancy_id: tenancyId,
    via_id: viaId,
    message_type: content.messageType,
    function_type: content.functionType,
    function_id: content.functionId,
    payload: JSON.stringify(content.payload),
    state: 'created',
    code: 0,
    message: '',
    output: null,
    creator,
    created_at: now,
    sent_at: 0,
    answered_at: 0,
    deadline: now + withinMs,
  }) satisfies NewCommand;

const ROWS_PER_INSERT = 200;

export const insertCommands = async (db: Db, commands: NewCommand[]): Promise<void> => {
  for (let from = 0; from < commands.length; from += ROWS_PER_INSERT)
    await db
      .insertInto('device_command')
      .values(commands.slice(from, from + ROWS_PER_INSERT))
      .execute();
};

/**
 * Query that times out commands; the caller adds conditions. Only open commands match, so a result that arrives at the
 * last moment wins.
 */
export const timeOut = (db: Db) =>
  db
    .updateTable('device_command')
    .set({ state: 'timedOut', answered_at: Date.now() })
    .where('state', 'in', OPEN_STATES);
