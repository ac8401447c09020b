import { languages } from '@device-center/contract';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { changeLanguage, currentLanguage } from '../../i18n/language.ts';
import { LanguageName } from '../../ui/language-name.tsx';
import { changePreferences, type Density, usePreferences } from '../../ui/preferences.ts';
import { themeChoices, themeTextKeys } from '../../ui/switches.tsx';

const densities = { comfortable: 'common:densityComfortable', compact: 'common:densityCompact' } as const;
const densityChoices = Object.keys(densities) as Density[];

export const PreferencesCard = () => {
  const { t } = useTranslation(['personal', 'shell', 'common']);
  const theme = usePreferences((state) => state.theme);
  const density = usePreferences((state) => state.density);
  return (
    <aside className="dc-card dc-detail-facts dc-person-preferences" aria-labelledby="person-preferences">
      <h2 id="person-preferences">{t('personal:preferences')}</h2>
      <div>
        <span className="dc-person-label">{t('personal:theme')}</span>
        <Segmented
          block
          aria-label={t('personal:theme')}
          value={theme}
          options={themeChoices.map((value) => ({ value, label: t(`shell:${themeTextKeys[value]}`) }))}
          onChange={(chosen) => changePreferences({ theme: chosen })}
        />
      </div>
      <div>
        <span className="dc-person-label">{t('personal:density')}</span>
        <Segmented
          block
          aria-label={t('personal:density')}
          value={density}
          options={densityChoices.map((value) => ({ value, label: t(densities[value]) }))}
          onChange={(chosen) => changePreferences({ density: chosen })}
        />
      </div>
      <div>
        <span className="dc-person-label">{t('personal:language')}</span>
        <Segmented
          block
          aria-label={t('personal:language')}
          value={currentLanguage()}
          options={languages.map((value) => ({ value, label: <LanguageName language={value} /> }))}
          onChange={changeLanguage}
        />
        <p className="dc-muted dc-small">{t('personal:languageText')}</p>
      </div>
      <p className="dc-muted dc-small">{t('personal:preferencesText')}</p>
    </aside>
  );
};
