import type { Language } from '@device-center/contract';
import type { ConfigProviderProps } from 'antd';
import dayjs from 'dayjs';
import { currentLanguage } from '../i18n/language.ts';

export type AntdLocale = NonNullable<ConfigProviderProps['locale']>;

const load: Record<Language, () => Promise<AntdLocale>> = {
  zh_CN: async () => {
    const [locale] = await Promise.all([import('antd/locale/zh_CN'), import('dayjs/locale/zh-cn')]);
    dayjs.locale('zh-cn');
    return locale.default;
  },
  en_US: async () => (await import('antd/locale/en_US')).default,
};

export const loadAntdLocale = (): Promise<AntdLocale> => load[currentLanguage()]();
