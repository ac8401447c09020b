import { setTimeout as sleep } from 'node:timers/promises';
import { type FleetDevice, hasRoom, publishNext } from './fleet.ts';
import type { Operator } from './operator.ts';

const TICK_MS = 20;
/** Limits the burst after a pause: the backlog is not sent at once. */
const BURST_MS = 200;
/** Messages in flight per device at the full rate: the SDK's window. */
const WINDOW = 16;

/** The load: messages of all devices in turn, with requests of the operator between them. */
export const createLoad = (members: FleetDevice[], operator: Operator, operatorEvery: number) => {
  let units = 0;
  let done = 0;
  let inFlight = 0;

  const start = (): Promise<void> | undefined => {
    const unit = units++;
    if (unit % operatorEvery === 0) return operator.work();
    const member = members[unit % members.length];
    return member && hasRoom(member) ? publishNext(member) : undefined;
  };

  /** Starts one unit of work; false when the device or operator has too many in flight. */
  const begin = (): boolean => {
    const work = start();
    if (!work) return false;
    inFlight++;
    void work.finally(() => {
      inFlight--;
      done++;
    });
    return true;
  };

  /** Sends at the full rate for a time; returns the units per second. */
  const sendAtFullRate = async (ms: number): Promise<number> => {
    const [before, since] = [done, performance.now()];
    while (performance.now() - since < ms) {
      while (inFlight < members.length * WINDOW && begin());
      await sleep(1);
    }
    return ((done - before) * 1_000) / (performance.now() - since);
  };

  return {
    sendAtFullRate,
    get done(): number {
      return done;
    },
    get inFlight(): number {
      return inFlight;
    },
    /** Sends at a fixed rate, in units per second, until `isOver`. */
    pace: async (rate: number, isOver: () => boolean): Promise<void> => {
      let due = 0;
      for (let last = performance.now(); !isOver(); ) {
        await sleep(TICK_MS);
        const now = performance.now();
        due = Math.min(due + (rate * (now - last)) / 1_000, Math.max(1, (rate * BURST_MS) / 1_000));
        last = now;
        for (; due >= 1; due--) begin();
      }
    },
  };
};

export type Load = ReturnType<typeof createLoad>;
