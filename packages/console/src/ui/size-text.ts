import { languageTag } from '../i18n/language.ts';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** Formats bytes: 1,536 is "1.5 KB". */
export const sizeText = (bytes: number): string => {
  const unitIndex = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const digits = unitIndex === 0 ? 0 : 1;
  const number = new Intl.NumberFormat(languageTag(), { maximumFractionDigits: digits }).format(
    bytes / STEP ** unitIndex,
  );
  return `${number} ${UNITS[unitIndex]}`;
};
