import type { Language } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from './language.ts';

type Bundle = Record<string, string>;

const bundles: Record<Language, () => Promise<Bundle>> = {
  zh_CN: async () => (await import('./zh_CN/device-detail.ts')).deviceDetail,
  en_US: async () => (await import('./en_US/device-detail.ts')).deviceDetail,
};

/** Many words for two pages: they come with these pages, not with every other. */
export const loadDeviceDetailTexts = async (): Promise<void> => {
  const language = currentLanguage();
  i18next.addResourceBundle(language, 'deviceDetail', await bundles[language](), true, true);
};
