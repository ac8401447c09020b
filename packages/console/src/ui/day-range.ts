import dayjs from 'dayjs';

export type DayRange = { from?: string | undefined; to?: string | undefined };

const hasMinute = (text: string): boolean => text.includes(':');

/** Converts local days or minutes to instants: from ≤ t < end of the day or minute `to`. */
export const timesOf = ({ from, to }: DayRange): { startTime?: string; endTime?: string } => ({
  ...(from === undefined ? {} : { startTime: dayjs(from).toISOString() }),
  ...(to === undefined
    ? {}
    : {
        endTime: dayjs(to)
          .add(1, hasMinute(to) ? 'minute' : 'day')
          .toISOString(),
      }),
});
