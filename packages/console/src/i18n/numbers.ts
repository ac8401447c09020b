import { languageTag } from './language.ts';

/** Caches the format per language: creating one takes longer than rendering a table row. */
const createFormatter = (options?: Intl.NumberFormatOptions) => {
  const formats = new Map<string, Intl.NumberFormat>();
  return (value: number): string => {
    const tag = languageTag();
    const format = formats.get(tag) ?? new Intl.NumberFormat(tag, options);
    formats.set(tag, format);
    return format.format(value);
  };
};

export const countText = createFormatter();

/** With a sign: "+12", "-3", "0". */
export const changeText = createFormatter({ signDisplay: 'exceptZero' });

/** For chart axes: "12K", "1.2万". */
export const shortText = createFormatter({ notation: 'compact', maximumFractionDigits: 1 });

export const percentText = createFormatter({ style: 'percent', maximumFractionDigits: 0 });
