import { languageTag } from './language.ts';

/** Each made once: to make one takes longer than to draw the row that it is for. */
const writing = (options?: Intl.NumberFormatOptions) => {
  const made = new Map<string, Intl.NumberFormat>();
  return (value: number): string => {
    const tag = languageTag();
    const format = made.get(tag) ?? new Intl.NumberFormat(tag, options);
    made.set(tag, format);
    return format.format(value);
  };
};

export const countText = writing();

/** With its sign: "+12", "-3", "0". */
export const changeText = writing({ signDisplay: 'exceptZero' });

/** For an axis: "12K", 1.2万. */
export const shortText = writing({ notation: 'compact', maximumFractionDigits: 1 });

export const percentText = writing({ style: 'percent', maximumFractionDigits: 0 });
