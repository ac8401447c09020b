import dayjs from 'dayjs';
import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

/** Now, told anew every second. */
export const useSecond = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};

export const clockText = (at: number): string => dayjs(at).format('HH:mm:ss');

const two = (value: number): string => String(value).padStart(2, '0');

/** To the millisecond, and by hand: it stands in every line of the log. */
export const preciseClockText = (at: number): string => {
  const time = new Date(at);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`;
};

/** Hours, minutes and seconds, as "1:59:07"; what is over is zero. */
export const durationText = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
};
