import i18next from 'i18next';
import { languageTag } from '../../i18n/language.ts';
import type { Refusal } from './drawing.ts';

const numberText = (value: number): string => value.toLocaleString(languageTag());

/** Why there is no code, and what would help. */
export const refusalText = (refusal: Refusal): string => {
  switch (refusal.kind) {
    case 'empty':
      return i18next.t('qrCode:refusedEmpty');
    case 'tooLong':
      return i18next.t('qrCode:refusedTooLong', { limit: numberText(refusal.limit) });
    case 'tooSmall':
      return i18next.t('qrCode:refusedTooSmall', { least: refusal.least });
  }
};
