import { languages } from '@device-center/contract';
import { Dropdown } from 'antd';
import { Globe, Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeLanguage, currentLanguage, languageNames } from '../i18n/language.ts';
import { LanguageName } from './language-name.tsx';
import { changePreferences, type ThemeChoice, usePreferences } from './preferences.ts';

export const LanguageSwitch = () => {
  const { t } = useTranslation('shell');
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [currentLanguage()],
        items: languages.map((language) => ({
          key: language,
          label: <LanguageName language={language} />,
          onClick: () => changeLanguage(language),
        })),
      }}
    >
      <button
        type="button"
        className="dc-icon-button"
        aria-label={`${t('language')}: ${languageNames[currentLanguage()]}`}
      >
        <Globe size={18} aria-hidden />
      </button>
    </Dropdown>
  );
};

const themeIcons = { light: Sun, dark: Moon, system: Monitor } as const;
export const themeChoices: readonly ThemeChoice[] = ['light', 'dark', 'system'];
export const themeTextKeys = { light: 'themeLight', dark: 'themeDark', system: 'themeSystem' } as const;

export const ThemeSwitch = () => {
  const { t } = useTranslation('shell');
  const choice = usePreferences((state) => state.theme);
  const Icon = themeIcons[choice];
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [choice],
        items: themeChoices.map((theme) => ({
          key: theme,
          label: t(themeTextKeys[theme]),
          onClick: () => changePreferences({ theme }),
        })),
      }}
    >
      <button type="button" className="dc-icon-button" aria-label={`${t('theme')}: ${t(themeTextKeys[choice])}`}>
        <Icon size={18} aria-hidden />
      </button>
    </Dropdown>
  );
};
