import type { MockStep } from '@device-center/contract';
import { after } from '@device-center/device-sdk';
import type { Mock } from './mock.ts';

/** Told by the device's own events; here it only must not end the program. */
const quietly = (work: Promise<unknown>): void => void work.catch(() => undefined);

type Repeat = {
  /** Of whom; those that are not mounted are passed over. */
  deviceIds: string[];
  everyMs: number;
  /** All that can be read, when missing. */
  signCodes?: string[];
  onTurn?: () => void;
};

const isThere = (mock: Mock, deviceId: string): boolean =>
  deviceId === mock.device.deviceId || mock.mounted().includes(deviceId);

/** Values that wander, again and again while the device is online. Answers how to stop. */
export const startRepeat = (mock: Mock, { deviceIds, everyMs, signCodes, onTurn }: Repeat): (() => void) => {
  let cancel = (): void => undefined;
  const turn = (): void => {
    cancel = after(everyMs, turn);
    if (!mock.device.online) return;
    for (const deviceId of deviceIds.filter((id) => isThere(mock, id))) {
      const value = mock.bodyOf(deviceId).move(signCodes);
      if (Object.keys(value).length > 0) quietly(mock.say({ deviceId, kind: 'property', name: '', value }));
    }
    onTurn?.();
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
      if (mock.device.online && isThere(mock, said.deviceId)) quietly(mock.say(said));
      from(place + 1);
    });
  };
  from(0);
  return () => cancel();
};
