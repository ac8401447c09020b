import dayjs from 'dayjs';
import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

/** The current time, updated every second. */
export const useCurrentTime = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};

export const clockText = (at: number): string => dayjs(at).format('HH:mm:ss');

const two = (value: number): string => String(value).padStart(2, '0');

/** Time with milliseconds. Formatted without a library, because every line of the log needs it. */
export const preciseClockText = (at: number): string => {
  const time = new Date(at);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`;
};

/** Formats a duration as "1:59:07"; a negative one is zero. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
};
