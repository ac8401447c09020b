import { Tooltip } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../i18n/language.ts';

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export const relativeText = (time: number, now: number): string => {
  const format = new Intl.RelativeTimeFormat(languageTag(), { numeric: 'auto', style: 'short' });
  const seconds = Math.round((time - now) / 1000);
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(0, 'second');
};

export const absoluteText = (value: string): string => dayjs(value).format('YYYY-MM-DD HH:mm:ss');

const useNow = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/** "3 min. ago", with the exact local time in the tooltip. */
export const RelativeTime = ({ value }: { value: string | null }) => {
  const { t } = useTranslation();
  const now = useNow();
  if (value === null || value === '') return <span className="dc-muted">{t('never')}</span>;
  return (
    <Tooltip title={absoluteText(value)}>
      <time className="dc-time" dateTime={value}>
        {relativeText(Date.parse(value), now)}
      </time>
    </Tooltip>
  );
};
