import { languageTag } from '../../i18n/language.ts';

export const countText = (count: number): string => new Intl.NumberFormat(languageTag()).format(count);

/** With its sign: "+12", "-3", "0". */
export const changeText = (change: number): string =>
  new Intl.NumberFormat(languageTag(), { signDisplay: 'exceptZero' }).format(change);

/** For an axis: "12K", 1.2万. */
export const shortText = (count: number): string =>
  new Intl.NumberFormat(languageTag(), { notation: 'compact', maximumFractionDigits: 1 }).format(count);

export const percentText = (share: number): string =>
  new Intl.NumberFormat(languageTag(), { style: 'percent', maximumFractionDigits: 0 }).format(share);
