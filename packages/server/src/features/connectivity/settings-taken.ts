import { FunctionType, type LogLevelId } from '@device-center/contract';
import type { Updateable } from 'kysely';
import type { Command } from '../../db/commands.ts';
import type { DeviceTable } from '../../db/device-tables.ts';
import { storedJson } from '../../db/stored.ts';
import type { DeviceSession } from './connection-registry.ts';

/** A setting, as the device's row remembers it and as whoever speaks for the device has it at hand. */
type Setting = {
  columns: Pick<Updateable<DeviceTable>, 'logger_level' | 'real_time_push'>;
  speaker: Partial<Pick<DeviceSession, 'loggerLevel' | 'realTimePush'>>;
};

/** What a device that has done this command remembers from then on; nothing of most. */
export const settingOf = (command: Command): Setting | undefined => {
  if (command.function_type !== FunctionType.systemService) return undefined;
  const inputOf = <Input>(): Input =>
    storedJson<{ input: Input }>(command.payload, 'device_command', command.command_id).input;
  if (command.function_id === 'logLevel') {
    const { logLevel } = inputOf<{ logLevel: LogLevelId }>();
    return { columns: { logger_level: logLevel }, speaker: { loggerLevel: logLevel } };
  }
  if (command.function_id === 'logSwitch') {
    const { logSwitch } = inputOf<{ logSwitch: 0 | 1 }>();
    return { columns: { real_time_push: logSwitch }, speaker: { realTimePush: logSwitch } };
  }
  return undefined;
};
