import { FunctionType, type LogLevelId } from '@device-center/contract';
import type { Updateable } from 'kysely';
import type { DeviceTable } from '../../db/hub-tables.ts';
import { storedJson } from '../../db/stored.ts';
import type { Command } from '../../domain/device/commands.ts';
import type { DeviceSession } from './connection-registry.ts';

/** A device setting, as columns of the device row and as fields of its session. */
type Setting = {
  columns: Pick<Updateable<DeviceTable>, 'logger_level' | 'real_time_push'>;
  session: Partial<Pick<DeviceSession, 'loggerLevel' | 'realTimePush'>>;
};

/** The setting that a successful command changes; undefined for most commands. */
export const settingOf = (command: Command): Setting | undefined => {
  if (command.function_type !== FunctionType.systemService) return undefined;
  const inputOf = <Input>(): Input =>
    storedJson<{ input: Input }>(command.payload, 'device_command', command.command_id).input;
  if (command.function_id === 'logLevel') {
    const { logLevel } = inputOf<{ logLevel: LogLevelId }>();
    return { columns: { logger_level: logLevel }, session: { loggerLevel: logLevel } };
  }
  if (command.function_id === 'logSwitch') {
    const { logSwitch } = inputOf<{ logSwitch: 0 | 1 }>();
    return { columns: { real_time_push: logSwitch }, session: { realTimePush: logSwitch } };
  }
  return undefined;
};
