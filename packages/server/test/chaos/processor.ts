import { cpus } from 'node:os';
import { adminProcess, deviceProcess, processorTicks } from '../hub-process.ts';
import type { Installation } from './installation.ts';

const TICKS_PER_SECOND = 100;

export const parts = ['admin side', 'device side', 'this test', 'all together'] as const;
export type Part = (typeof parts)[number];
/** CPU seconds since the previous sample. */
export type CpuSample = { at: number; seconds: Record<Part, number> };

/** CPU time of all processes of the machine, with database and broker. */
const machineSeconds = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1_000;

const ownSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/** Records CPU use over time: other processes on the machine also slow down answers. */
export const watchProcessor = (installation: Installation, everyMs: number) => {
  const used: CpuSample[] = [];
  const last = new Map<string, number>();
  const since = (key: string, now: number, before = last.get(key) ?? 0): number => {
    last.set(key, now);
    return now - before;
  };
  const ofSide = (pid: number): number => since(`process ${pid}`, processorTicks(pid) / TICKS_PER_SECOND);
  const look = (): CpuSample => ({
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
      // A process is not running at the moment.
    }
  }, everyMs);
  return { used, stop: () => clearInterval(timer) };
};
