import type { Language } from '@device-center/contract';
import type { ConfigProviderProps } from 'antd';
import dayjs from 'dayjs';
import { currentLanguage } from '../i18n/language.ts';

export type AntdLocale = NonNullable<ConfigProviderProps['locale']>;

const load: Record<Language, () => Promise<AntdLocale>> = {
  zh_CN: async () => {
    const [locale] = await Promise.all([import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]);
    dayjs.locale('zh-cn');
    return locale.default;
  },
  en_US: async () => (await import('antd/es/locale/en_US')).default,
};

/** Without these labels, screen readers read the month and year buttons by their content. */
const unnamed = { yearSelect: '', monthSelect: '', decadeSelect: '' };

export const loadAntdLocale = async (): Promise<AntdLocale> => {
  const locale = await load[currentLanguage()]();
  const { DatePicker } = locale;
  if (!DatePicker) return locale;
  return { ...locale, DatePicker: { ...DatePicker, lang: { ...DatePicker.lang, ...unnamed } } };
};
