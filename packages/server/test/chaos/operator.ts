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
import type { Member } from './fleet.ts';
import type { Installation } from './installation.ts';

/** `refusal`: '' where the answer was a success. */
export type Asked = { name: string; at: number; ms: number; refusal: string };
/** `known`: whether the hub said that it was done; otherwise it may have been or not. */
export type Rename = { deviceId: string; deviceName: string; known: boolean };
export type Order = { member: Member; number: number; messageId: string; answered: boolean };

/** So many requests of his are under way at most. */
const AT_ONCE = 8;
/** So long after a device was told that it is online the hub may not know it yet. */
const AWAY_MS = 1_000;

/** It came back only since, or just before. */
const isAway = ({ device, onlineAt }: Member, since: number): boolean => !device.online || onlineAt > since - AWAY_MS;

/** Somebody who reads lists, saves changes and sends commands, and remembers what he was told. */
export const createOperator = ({ admin, shop }: Installation, members: Member[]) => {
  const asked: Asked[] = [];
  const renames: Rename[] = [];
  const orders: Order[] = [];
  /** Of these a change is under way: two at once would leave open which was the last. */
  const changing = new Set<string>();
  let underWay = 0;
  let turn = 0;

  /** What came of it, or undefined where nothing did, and how long that took; `isExcused`: whether a refusal is none. */
  const timed = async <T>(
    name: string,
    work: () => Promise<{ refusal: string; answer?: T }>,
    isExcused: () => boolean = () => false,
  ): Promise<T | undefined> => {
    const at = Date.now();
    const since = performance.now();
    const { refusal, answer } = await work().catch((error: unknown) => ({
      refusal: error instanceof Error ? error.message : String(error),
      answer: undefined,
    }));
    if (refusal === '' || !isExcused()) asked.push({ name, at, ms: performance.now() - since, refusal });
    return answer;
  };

  /** `fault`: what is wrong with a success. */
  const ask = <C extends Call>(
    name: string,
    call: C,
    sent: Sent<C>,
    fault: (answer: Output<C>) => string = () => '',
    isExcused?: () => boolean,
  ): Promise<Output<C> | undefined> => {
    const work = async () => {
      const answer = (await admin.call(call, sent)) as Answer<Output<C>, Output<C> | null>;
      // A command that the device did not carry out says how it went.
      if (!answer.success && answer.data === null) return { refusal: answer.code };
      const data = answer.data as Output<C>;
      return { refusal: fault(data), answer: data };
    };
    return timed(name, work, isExcused);
  };

  /** An answer that needs neither database nor device: what it takes longer is the machine's doing, and this test's. */
  const reference = (): Promise<undefined> =>
    timed('alive, the reference', async () => {
      const answer = await fetch(`${admin.url}/health/live`);
      await answer.text();
      return { refusal: answer.ok ? '' : String(answer.status) };
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

  const command = async (member: Member): Promise<void> => {
    const order: Order = { member, number: orders.length, messageId: '', answered: false };
    orders.push(order);
    const { deviceId } = member.device;
    const sent = { deviceId, functionId: 'target', functionValue: String(order.number) };
    const at = Date.now();
    const carriedOut = (): string =>
      `${member.inZone ? 'in the zone, ' : ''}${member.carriedOut.get(order.number) ?? 0} times carried out`;
    const fault = ({ status, messageId }: CommandResult): string =>
      status === 'answered' ? '' : `${messageId} to ${deviceId} is ${status}, ${carriedOut()}`;
    // A device that installs an upgrade comes back anew, and is not there for a moment.
    const answer = await ask('command', controlCalls.commandDeviceFunction, sent, fault, () => isAway(member, at));
    if (!answer) return;
    order.messageId = answer.messageId;
    order.answered = answer.status === 'answered';
  };

  const { productId } = shop;
  const works: ((member: Member) => Promise<unknown>)[] = [
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
    asked,
    renames,
    orders,
    get underWay(): number {
      return underWay;
    },
    /** The next of his works; undefined where he has his hands full. */
    work: (): Promise<void> | undefined => {
      if (underWay >= AT_ONCE) return undefined;
      const work = works[turn % works.length];
      const member = members[turn++ % members.length];
      if (!work || !member) return undefined;
      underWay++;
      return work(member).then(
        () => void underWay--,
        () => void underWay--,
      );
    },
  };
};

export type Operator = ReturnType<typeof createOperator>;
