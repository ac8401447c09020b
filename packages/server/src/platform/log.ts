import { pino } from 'pino';

export type Log = Pick<pino.Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** JSON lines on standard error: standard output is for the ready line and the first password. */
export const createLog = (
  side: string,
  level: string,
  destination: pino.DestinationStream = pino.destination({ dest: 2, sync: true }),
): pino.Logger => pino({ level, base: { side, pid: process.pid } }, destination);
