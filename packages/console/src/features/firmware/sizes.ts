import { languageTag } from '../../i18n/language.ts';

export { sizeText } from '../../ui/size-text.ts';

/** Rounds down: 100 means that everything is sent. */
export const percentOf = (part: number, total: number): number => (total <= 0 ? 0 : Math.floor((part / total) * 100));

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
