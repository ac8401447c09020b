import type { MockStep } from '@device-center/contract';
import { after, type Values } from '@device-center/device-sdk';
import type { Mock } from './mock.ts';

/** The device's events report failures; an unhandled rejection must not end the program. */
const ignoreRejection = (work: Promise<unknown>): void => void work.catch(() => undefined);

type Repeat = {
  /** The device and children to send for; children that are not mounted are skipped. */
  deviceIds: string[];
  everyMs: number;
  /** Default: all readable properties. Each device sends those that its model has. */
  signCodes?: string[];
  /** Called with the number of messages sent in a round. */
  onTurn?: (sent: number) => void;
};

const canSend = (mock: Mock, deviceId: string): boolean =>
  deviceId === mock.device.deviceId || mock.mounted().includes(deviceId);

const movedOf = (mock: Mock, deviceId: string, signCodes: string[] | undefined): Values => {
  const own = new Set(mock.modelOf(deviceId).flatMap((entry) => (entry.functionType === 1 ? [entry.signCode] : [])));
  return mock.behaviorOf(deviceId).move(signCodes?.filter((signCode) => own.has(signCode)));
};

/** Sends drifting values at an interval while the device is online. Returns a function that stops it. */
export const startRepeat = (mock: Mock, { deviceIds, everyMs, signCodes, onTurn }: Repeat): (() => void) => {
  let cancel = (): void => undefined;
  const turn = (): void => {
    cancel = after(everyMs, turn);
    if (!mock.device.online) return;
    const moved = deviceIds
      .filter((deviceId) => canSend(mock, deviceId))
      .map((deviceId) => ({ deviceId, value: movedOf(mock, deviceId, signCodes) }))
      .filter(({ value }) => Object.keys(value).length > 0);
    for (const { deviceId, value } of moved)
      ignoreRejection(mock.send({ deviceId, kind: 'property', name: '', value }));
    onTurn?.(moved.length);
  };
  turn();
  return () => cancel();
};

type Play = { loop?: boolean; onStep?: (index: number) => void; onEnd?: () => void };

/** Minimum duration of a round, so that a sequence without pauses does not flood the hub. */
const ROUND_MIN_MS = 1_000;

/** Replays a recorded sequence with its original pauses. Returns a function that stops it. */
export const playSequence = (
  mock: Mock,
  steps: MockStep[],
  { loop = false, onStep, onEnd }: Play = {},
): (() => void) => {
  let cancel = (): void => undefined;
  const pauses = steps.reduce((sum, step) => sum + step.after, 0);
  const playFrom = (index: number): void => {
    const step = steps[index];
    if (!step) {
      if (loop && steps.length > 0) cancel = after(Math.max(0, ROUND_MIN_MS - pauses), () => playFrom(0));
      else onEnd?.();
      return;
    }
    cancel = after(step.after, () => {
      onStep?.(index);
      const { after: _, ...message } = step;
      if (mock.device.online && canSend(mock, message.deviceId)) ignoreRejection(mock.send(message));
      playFrom(index + 1);
    });
  };
  playFrom(0);
  return () => cancel();
};
