import type { MockStep } from '@device-center/contract';
import { after, type Values } from '@device-center/device-sdk';
import type { Mock } from './mock.ts';

/** Told by the device's own events; here it only must not end the program. */
const withoutRefetchIndicator = (work: Promise<unknown>): void => void work.catch(() => undefined);

type Repeat = {
  /** Of whom; those that are not mounted are passed over. */
  deviceIds: string[];
  everyMs: number;
  /** All that can be read, when missing; each sends those that it has. */
  signCodes?: string[];
  /** With how many messages it sent. */
  onTurn?: (sent: number) => void;
};

const isThere = (mock: Mock, deviceId: string): boolean =>
  deviceId === mock.device.deviceId || mock.mounted().includes(deviceId);

const movedOf = (mock: Mock, deviceId: string, signCodes: string[] | undefined): Values => {
  const own = new Set(mock.modelOf(deviceId).flatMap((entry) => (entry.functionType === 1 ? [entry.signCode] : [])));
  return mock.bodyOf(deviceId).move(signCodes?.filter((signCode) => own.has(signCode)));
};

/** Values that wander, again and again while the device is online. Answers how to stop. */
export const startRepeat = (mock: Mock, { deviceIds, everyMs, signCodes, onTurn }: Repeat): (() => void) => {
  let cancel = (): void => undefined;
  const turn = (): void => {
    cancel = after(everyMs, turn);
    if (!mock.device.online) return;
    const moved = deviceIds
      .filter((deviceId) => isThere(mock, deviceId))
      .map((deviceId) => ({ deviceId, value: movedOf(mock, deviceId, signCodes) }))
      .filter(({ value }) => Object.keys(value).length > 0);
    for (const { deviceId, value } of moved)
      withoutRefetchIndicator(mock.say({ deviceId, kind: 'property', name: '', value }));
    onTurn?.(moved.length);
  };
  turn();
  return () => cancel();
};

type Play = { loop?: boolean; onStep?: (place: number) => void; onEnd?: () => void };

/** The least time between two rounds, so that a sequence without pauses is not a flood. */
const ROUND_LEAST_MS = 1_000;

/** A recorded sequence with the pauses it was recorded with. Answers how to stop. */
export const playSequence = (
  mock: Mock,
  steps: MockStep[],
  { loop = false, onStep, onEnd }: Play = {},
): (() => void) => {
  let cancel = (): void => undefined;
  const pauses = steps.reduce((sum, step) => sum + step.after, 0);
  const from = (place: number): void => {
    const step = steps[place];
    if (!step) {
      if (loop && steps.length > 0) cancel = after(Math.max(0, ROUND_LEAST_MS - pauses), () => from(0));
      else onEnd?.();
      return;
    }
    cancel = after(step.after, () => {
      onStep?.(place);
      const { after: _, ...said } = step;
      if (mock.device.online && isThere(mock, said.deviceId)) withoutRefetchIndicator(mock.say(said));
      from(place + 1);
    });
  };
  from(0);
  return () => cancel();
};
