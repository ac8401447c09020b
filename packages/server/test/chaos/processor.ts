import { cpus } from 'node:os';
import { adminProcess, deviceProcess, processorTicks } from '../hub-process.ts';
import type { Installation } from './installation.ts';

const TICKS_A_SECOND = 100;

export const parts = ['admin side', 'device side', 'this test', 'all together'] as const;
export type Part = (typeof parts)[number];
/** Seconds of a processor that were used since the sample before. */
export type Used = { at: number; seconds: Record<Part, number> };

/** By all processes of the machine: the database and the broker are among them. */
const machineSeconds = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;

const ownSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/** Who used the processors, and when: answers become slower also because somebody else has more to do. */
export const watchProcessor = (installation: Installation, everyMs: number) => {
  const used: Used[] = [];
  const last = new Map<string, number>();
  const since = (key: string, now: number, before = last.get(key) ?? 0): number => {
    last.set(key, now);
    return now - before;
  };
  const ofSide = (pid: number): number => since(`process ${pid}`, processorTicks(pid) / TICKS_A_SECOND);
  const look = (): Used => ({
    at: Date.now(),
    seconds: {
      'admin side': ofSide(adminProcess(installation.hub())),
      'device side': ofSide(deviceProcess(installation.hub())),
      'this test': since('own', ownSeconds()),
      'all together': since('machine', machineSeconds()),
    },
  });
  look();
  const timer = setInterval(() => {
    try {
      used.push(look());
    } catch {
      // A side is dead just now.
    }
  }, everyMs);
  return { used, stop: () => clearInterval(timer) };
};
