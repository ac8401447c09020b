import { languageTag } from '../../i18n/language.ts';

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
const STEP = 1024;

/** 1,536 is "1.5 KB". */
export const sizeText = (bytes: number): string => {
  const place = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const digits = place === 0 ? 0 : 1;
  const number = new Intl.NumberFormat(languageTag(), { maximumFractionDigits: digits }).format(bytes / STEP ** place);
  return `${number} ${UNITS[place]}`;
};

/** What is sent is whole only when all of it is: 99.9 % stays 99. */
export const percentOf = (part: number, whole: number): number => (whole <= 0 ? 0 : Math.floor((part / whole) * 100));

const unitText = (amount: number, unit: 'second' | 'minute' | 'hour'): string =>
  new Intl.NumberFormat(languageTag(), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 }).format(
    amount,
  );

/** "45 sec", "3 min", "2 hr 5 min". */
export const durationText = (seconds: number): string => {
  if (seconds < 60) return unitText(Math.max(1, Math.ceil(seconds)), 'second');
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return unitText(minutes, 'minute');
  const rest = minutes % 60;
  const hours = unitText(Math.floor(minutes / 60), 'hour');
  return rest === 0 ? hours : `${hours} ${unitText(rest, 'minute')}`;
};
