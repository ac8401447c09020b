import { useEffect, useState } from 'react';
import { currentLanguage } from '../../i18n/language.ts';

const describer = async (): Promise<(cron: string) => string> => {
  const { default: cronstrue } = await import('cronstrue');
  const locale = currentLanguage() === 'zh_CN' ? 'zh_CN' : 'en';
  if (locale === 'zh_CN') await import('cronstrue/locales/zh_CN.js');
  // "every day" helps beside a time of day; beside "every minute" it is noise.
  const hasTime = (cron: string): boolean => /^\d+(,\d+)*$/.test(cron.trim().split(/\s+/)[1] ?? '');
  return (cron) => cronstrue.toString(cron, { locale, use24HourTimeFormat: true, verbose: hasTime(cron) });
};

/** "At 02:00, Monday through Friday"; '' until the words have come, and for what is no cron expression. */
export const useCronWords = (cron: string): string => {
  const [words, setWords] = useState('');
  useEffect(() => {
    let wanted = true;
    const tell = (text: string) => wanted && setWords(text);
    if (cron === '') tell('');
    else
      describer()
        .then((describe) => tell(describe(cron)))
        .catch(() => tell(''));
    return () => {
      wanted = false;
    };
  }, [cron]);
  return words;
};

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** With the time zone that the words are of, where that is not the reader's own. */
export const usePollingWords = ({ cron, timezone }: { cron: string; timezone: string }): string => {
  const words = useCronWords(cron) || cron;
  return timezone === ownZone() ? words : `${words} (${timezone})`;
};
