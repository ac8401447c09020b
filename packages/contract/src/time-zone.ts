import { z } from 'zod';

const isTimeZone = (value: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value });
    return true;
  } catch {
    return false;
  }
};

/** A time zone by its IANA name, such as Asia/Shanghai. */
export const timeZone = () => z.string().max(64).refine(isTimeZone, { error: 'TIME_ZONE' });
