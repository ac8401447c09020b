import i18next from 'i18next';
import { countText } from '../../i18n/numbers.ts';
import type { DrawingError } from './drawing.ts';

/** Why no code can be drawn, and how to fix it. */
export const drawingErrorText = (error: DrawingError): string => {
  switch (error.kind) {
    case 'empty':
      return i18next.t('qrCode:contentEmpty');
    case 'tooLong':
      return i18next.t('qrCode:contentTooLong', { limit: countText(error.limit) });
    case 'tooSmall':
      return i18next.t('qrCode:sizeTooSmall', { least: error.least });
  }
};
