import { fieldTexts } from './field-texts.ts';

/** Exceptions where the field's name is ambiguous, by entity or call. */
const exceptions: Record<string, string> = {
  'streamDevices.deviceId':
    'One device; all devices that the caller sees when missing, then without messages, logs and values',
  'streamDevices.timezone': 'Time zone of the day that `count` events are of, such as Asia/Shanghai',
  'Command.value': 'What was sent, as JSON text',
  'DeviceAddress.password': 'MQTT password: the token',
  'DeviceAddress.username': 'MQTT user name',
  'commandDeviceFunction.timeout': 'How long to wait for the answer',
  'DeviceUpgrade.versionNumber': 'What the device runs now',
  'Role.menus': 'Granted menus, without their parents',
};

/** Epoch milliseconds are accepted as input; responses are always ISO 8601. */
const timeOf = (io: 'input' | 'output'): string =>
  io === 'input' ? 'ISO 8601 with a zone, or epoch milliseconds' : "ISO 8601 in UTC; '' or null where there is none";

export const descriptionOf = (field: string, within: string, io: 'input' | 'output'): string | undefined => {
  const known = exceptions[`${within}.${field}`] ?? fieldTexts[field];
  return known ?? (/(?:^time|Time)$/.test(field) ? timeOf(io) : undefined);
};
