import {
  type Answer,
  type Call,
  type CommandResult,
  controlCalls,
  deviceCalls,
  homeCalls,
  type Output,
  recordCalls,
  type Sent,
} from '@device-center/contract';
import type { FleetDevice } from './fleet.ts';
import type { Installation } from './installation.ts';

/** `refusal`: the error code; '' for a success. */
export type TimedRequest = { name: string; at: number; ms: number; errorCode: string };
/** `known`: whether the hub confirmed the change; otherwise it is unknown whether it was made. */
export type Rename = { deviceId: string; deviceName: string; known: boolean };
export type Order = { member: FleetDevice; number: number; messageId: string; answered: boolean };

/** The operator's maximum of concurrent requests. */
const AT_ONCE = 8;
/** How long a device may be online before the hub's lists show it. */
const OFFLINE_GRACE_MS = 1_000;

/** Whether the device is offline, or came online since or just before that time. */
const isAway = ({ device, onlineAt }: FleetDevice, since: number): boolean =>
  !device.online || onlineAt > since - OFFLINE_GRACE_MS;

/** An operator who reads lists, saves changes and sends commands, and records the answers. */
export const createOperator = ({ admin, shop }: Installation, members: FleetDevice[]) => {
  const requests: TimedRequest[] = [];
  const renames: Rename[] = [];
  const orders: Order[] = [];
  /** Devices with a change in progress: with two concurrent ones the last would be unknown. */
  const changing = new Set<string>();
  let inFlight = 0;
  let turn = 0;

  /** Records the duration and the result of a request. `isExcused`: whether an error is expected at the moment. */
  const timed = async <T>(
    name: string,
    work: () => Promise<{ errorCode: string; answer?: T }>,
    isExcused: () => boolean = () => false,
  ): Promise<T | undefined> => {
    const at = Date.now();
    const since = performance.now();
    const { errorCode, answer } = await work().catch((error: unknown) => ({
      errorCode: error instanceof Error ? error.message : String(error),
      answer: undefined,
    }));
    if (errorCode === '' || !isExcused()) requests.push({ name, at, ms: performance.now() - since, errorCode });
    return answer;
  };

  /** `fault`: reports what is wrong with a successful answer. */
  const ask = <C extends Call>(
    name: string,
    call: C,
    sent: Sent<C>,
    fault: (answer: Output<C>) => string = () => '',
    isExcused?: () => boolean,
  ): Promise<Output<C> | undefined> => {
    const work = async () => {
      const answer = (await admin.call(call, sent)) as Answer<Output<C>, Output<C> | null>;
      // The answer to a command that the device did not execute has data with its state.
      if (!answer.success && answer.data === null) return { errorCode: answer.code };
      const data = answer.data as Output<C>;
      return { errorCode: fault(data), answer: data };
    };
    return timed(name, work, isExcused);
  };

  /** A request that needs neither database nor device: it measures the load of the machine and of this test. */
  const reference = (): Promise<undefined> =>
    timed('alive, the reference', async () => {
      const answer = await fetch(`${admin.url}/health/live`);
      await answer.text();
      return { errorCode: answer.ok ? '' : String(answer.status) };
    });

  const rename = async (deviceId: string): Promise<void> => {
    if (changing.has(deviceId)) return;
    changing.add(deviceId);
    const deviceName = `name-${renames.length}`;
    const change: Rename = { deviceId, deviceName, known: false };
    renames.push(change);
    const answer = await ask('save a device', deviceCalls.updateDevice, { deviceId, deviceName });
    change.known = answer !== undefined;
    changing.delete(deviceId);
  };

  const command = async (member: FleetDevice): Promise<void> => {
    const order: Order = { member, number: orders.length, messageId: '', answered: false };
    orders.push(order);
    const { deviceId } = member.device;
    const sent = { deviceId, functionId: 'target', functionValue: String(order.number) };
    const at = Date.now();
    const executed = (): string =>
      `${member.inZone ? 'in the zone, ' : ''}${member.executed.get(order.number) ?? 0} times carried out`;
    const fault = ({ status, messageId }: CommandResult): string =>
      status === 'answered' ? '' : `${messageId} to ${deviceId} is ${status}, ${executed()}`;
    // A device that installs an upgrade restarts and is offline for a moment.
    const answer = await ask('command', controlCalls.commandDeviceFunction, sent, fault, () => isAway(member, at));
    if (!answer) return;
    order.messageId = answer.messageId;
    order.answered = answer.status === 'answered';
  };

  const { productId } = shop;
  const works: ((member: FleetDevice) => Promise<unknown>)[] = [
    () => ask('device list', deviceCalls.queryDeviceList, { productId, pageSize: 20 }),
    command,
    () => ask('home page', homeCalls.getSystemDeviceCurrentCount, {}),
    ({ device: { deviceId } }) => rename(deviceId),
    ({ device: { deviceId } }) => ask('records', recordCalls.deviceMessageRecord, { deviceId, pageSize: 20 }),
    command,
    reference,
    ({ device: { deviceId } }) => ask('device', deviceCalls.getDeviceDetails, { deviceId }),
  ];

  return {
    requests,
    renames,
    orders,
    get inFlight(): number {
      return inFlight;
    },
    /** Starts the operator's next request; undefined when too many are in flight. */
    work: (): Promise<void> | undefined => {
      if (inFlight >= AT_ONCE) return undefined;
      const work = works[turn % works.length];
      const member = members[turn++ % members.length];
      if (!work || !member) return undefined;
      inFlight++;
      return work(member).then(
        () => void inFlight--,
        () => void inFlight--,
      );
    },
  };
};

export type Operator = ReturnType<typeof createOperator>;
