import { pino } from 'pino';
import { createLineWriter, STDERR } from './output.ts';

export type Log = Pick<pino.Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** JSON lines on standard error: standard output is for the ready line and the first password. */
export const createLog = (processName: string, level: string, destination?: pino.DestinationStream): pino.Logger => {
  const base = { process: processName, pid: process.pid };
  const lostLine = (lost: number): string =>
    `${JSON.stringify({ level: pino.levels.values.error, time: Date.now(), ...base, lost, msg: 'log lines could not be written' })}\n`;
  return pino({ level, base }, destination ?? createLineWriter(STDERR, lostLine));
};
