import { FunctionType, MessageType, type MessageTypeId } from '@device-center/contract';
import type { Insertable, Selectable } from 'kysely';
import { nextSequenceId } from '../platform/ids.ts';
import type { Db } from './connect.ts';
import type { DeviceCommandTable, DeviceTable } from './device-tables.ts';

export type Command = Selectable<DeviceCommandTable>;
export type NewCommand = Insertable<DeviceCommandTable>;

/** What a device is to do. */
export type Order = { messageType: MessageTypeId; functionType: number; functionId: string; payload: object };

/** To whom it goes and through whom, for how long, and who wants it. */
export type CommandTarget = {
  deviceId: string;
  viaId: string;
  tenancyId: string;
  creator: string;
  now: number;
  withinMs: number;
};

/** Neither answered nor given up. */
export const OPEN_STATES = ['created', 'sent'] as const;
export const isOpen = ({ state }: Pick<Command, 'state'>): boolean => state === 'created' || state === 'sent';

/** Through whom a device is reached: its gateway, or itself. */
export const routeIdOf = ({
  device_id,
  parent_id,
}: Pick<Selectable<DeviceTable>, 'device_id' | 'parent_id'>): string => (parent_id === '' ? device_id : parent_id);

/** A service that every device has. */
export const systemOrder = (service: string, input: object): Order => ({
  messageType: MessageType.service,
  functionType: FunctionType.systemService,
  functionId: service,
  payload: { service, input },
});

export const newCommand = (order: Order, { deviceId, viaId, tenancyId, creator, now, withinMs }: CommandTarget) =>
  ({
    command_id: nextSequenceId(),
    device_id: deviceId,
    tenancy_id: tenancyId,
    via_id: viaId,
    message_type: order.messageType,
    function_type: order.functionType,
    function_id: order.functionId,
    payload: JSON.stringify(order.payload),
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

const AT_ONCE = 200;

export const insertCommands = async (db: Db, commands: NewCommand[]): Promise<void> => {
  for (let from = 0; from < commands.length; from += AT_ONCE)
    await db
      .insertInto('device_command')
      .values(commands.slice(from, from + AT_ONCE))
      .execute();
};

/** Of those that are chosen from it, the ones that are still open: an answer that comes at the last moment wins. */
export const timeOut = (db: Db) =>
  db
    .updateTable('device_command')
    .set({ state: 'timedOut', answered_at: Date.now() })
    .where('state', 'in', OPEN_STATES);
