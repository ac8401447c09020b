import { useEffect, useState } from 'react';
import { currentLanguage } from '../../i18n/language.ts';

const describer = async (): Promise<(cron: string) => string> => {
  const { default: cronstrue } = await import('cronstrue');
  const locale = currentLanguage() === 'zh_CN' ? 'zh_CN' : 'en';
  if (locale === 'zh_CN') await import('cronstrue/locales/zh_CN.js');
  // Verbose output adds "every day", which is useful with a time of day but not with "every minute".
  const hasTime = (cron: string): boolean => /^\d+(,\d+)*$/.test(cron.trim().split(/\s+/)[1] ?? '');
  return (cron) => cronstrue.toString(cron, { locale, use24HourTimeFormat: true, verbose: hasTime(cron) });
};

/** Describes a cron expression, such as "At 02:00, Monday through Friday"; '' while loading or if it is invalid. */
export const useCronText = (cron: string): string => {
  const [words, setWords] = useState('');
  useEffect(() => {
    let wanted = true;
    const update = (text: string) => wanted && setWords(text);
    if (cron === '') update('');
    else
      describer()
        .then((describe) => update(describe(cron)))
        .catch(() => update(''));
    return () => {
      wanted = false;
    };
  }, [cron]);
  return words;
};

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The description of a schedule, with its time zone if that differs from the browser's. */
export const usePollingText = ({ cron, timezone }: { cron: string; timezone: string }): string => {
  const words = useCronText(cron) || cron;
  return timezone === ownZone() ? words : `${words} (${timezone})`;
};
