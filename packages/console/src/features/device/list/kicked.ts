import i18next from 'i18next';
import { useEffect, useState } from 'react';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const isKicked = (kickedUntil: string, now = Date.now()): boolean =>
  kickedUntil !== '' && Date.parse(kickedUntil) > now;

/** Two units are enough: "2 d 3 h", "5 min", "40 s". */
export const remainingTimeText = (milliseconds: number): string => {
  const left = Math.max(0, milliseconds);
  const days = Math.floor(left / DAY);
  const hours = Math.floor((left % DAY) / HOUR);
  const minutes = Math.floor((left % HOUR) / MINUTE);
  if (days > 0) return i18next.t('device:leftDays', { days, hours });
  if (hours > 0) return i18next.t('device:leftHours', { hours, minutes });
  if (minutes > 1) return i18next.t('device:leftMinutes', { minutes });
  return i18next.t('device:leftSeconds', { seconds: Math.ceil(left / SECOND) });
};

/** Milliseconds until a time, updated more often as it approaches. */
export const useTimeLeft = (until: string): number => {
  const [now, setNow] = useState(() => Date.now());
  const left = until === '' ? 0 : Date.parse(until) - now;
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), left > 2 * MINUTE ? 30 * SECOND : SECOND);
    return () => clearTimeout(timer);
  });
  return left;
};
