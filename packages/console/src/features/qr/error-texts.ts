import i18next from 'i18next';
import { countText } from '../../i18n/numbers.ts';
import type { Refusal } from './drawing.ts';

/** Why no code can be drawn, and how to fix it. */
export const refusalText = (refusal: Refusal): string => {
  switch (refusal.kind) {
    case 'empty':
      return i18next.t('qrCode:refusedEmpty');
    case 'tooLong':
      return i18next.t('qrCode:refusedTooLong', { limit: countText(refusal.limit) });
    case 'tooSmall':
      return i18next.t('qrCode:refusedTooSmall', { least: refusal.least });
  }
};
