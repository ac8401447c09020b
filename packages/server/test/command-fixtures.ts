import { controlCalls, type Envelope } from '@device-center/contract';
import type { Hub } from './hub.ts';

type Device = { deviceId: string };

/** Sets the property `power` of a lamp; the answer is the command's result, or why the hub rejected it. */
export const setPower = (hub: Pick<Hub, 'admin'>, { deviceId }: Device, value: unknown = true, timeout = 10_000) =>
  hub.admin.call(controlCalls.commandDeviceFunction, {
    deviceId,
    functionId: 'power',
    functionValue: JSON.stringify(value),
    timeout,
  });

/** Whether a message that a device received is a command to set properties. */
export const isRequest = ({ dataFlow, type }: Envelope): boolean => dataFlow === 0 && type === 2;

export const commandsOf = async (hub: Pick<Hub, 'admin'>, { deviceId }: Device) =>
  (await hub.admin.ok(controlCalls.getDeviceCommands, { deviceId, pageSize: 200 })).list;
