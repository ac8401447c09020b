import dayjs from 'dayjs';

export type DayRange = { from?: string | undefined; to?: string | undefined };

/** The instants of whole local days: from ≤ t < the day after `to`. */
export const timesOf = ({ from, to }: DayRange): { startTime?: string; endTime?: string } => ({
  ...(from === undefined ? {} : { startTime: dayjs(from).startOf('day').toISOString() }),
  ...(to === undefined ? {} : { endTime: dayjs(to).add(1, 'day').startOf('day').toISOString() }),
});
