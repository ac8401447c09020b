import { setTimeout as sleep } from 'node:timers/promises';
import { hasRoom, type Member, speak } from './fleet.ts';
import type { Operator } from './operator.ts';

const TICK_MS = 20;
/** What was missed while nothing could be sent is not made up for in one go. */
const BURST_MS = 200;
/** Under way at once and device where as much is sent as will go: the SDK's window. */
const WINDOW = 16;

/** The mix: messages of all devices in turn, and between them the operator. */
export const createLoad = (members: Member[], operator: Operator, operatorEvery: number) => {
  let units = 0;
  let done = 0;
  let underWay = 0;

  const start = (): Promise<void> | undefined => {
    const unit = units++;
    if (unit % operatorEvery === 0) return operator.work();
    const member = members[unit % members.length];
    return member && hasRoom(member) ? speak(member) : undefined;
  };

  /** Begins one unit; false where whoever was to do it has too much to do. */
  const begin = (): boolean => {
    const work = start();
    if (!work) return false;
    underWay++;
    void work.finally(() => {
      underWay--;
      done++;
    });
    return true;
  };

  /** As much as goes for so long; answers units a second. */
  const sendAtFullRate = async (ms: number): Promise<number> => {
    const [before, since] = [done, performance.now()];
    while (performance.now() - since < ms) {
      while (underWay < members.length * WINDOW && begin());
      await sleep(1);
    }
    return ((done - before) * 1_000) / (performance.now() - since);
  };

  return {
    sendAtFullRate,
    get done(): number {
      return done;
    },
    get underWay(): number {
      return underWay;
    },
    /** So many units a second until the end. */
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
