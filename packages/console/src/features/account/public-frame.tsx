import { languages } from '@device-center/contract';
import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLanguage, currentLanguage, languageNames } from '../../i18n/language.ts';
import { BrandGlyph } from '../../ui/brand-glyph.tsx';
import { PublicFeedback } from './public-feedback.tsx';

/** A native select: antd's dropdown would make up a tenth of the login page's size. */
const PublicLanguageSwitch = () => {
  const { t } = useTranslation('shell');
  return (
    <span className="dc-public-language">
      <Globe size={16} aria-hidden />
      <select
        aria-label={t('language')}
        defaultValue={currentLanguage()}
        onChange={({ target: { value } }) => {
          const chosen = languages.find((language) => language === value);
          if (chosen) changeLanguage(chosen);
        }}
      >
        {languages.map((language) => (
          <option key={language} value={language} lang={language.replace('_', '-')}>
            {languageNames[language]}
          </option>
        ))}
      </select>
    </span>
  );
};

/** The dark frame around the pages before login. */
export const PublicFrame = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation('common');
  return (
    <div className="dc-public">
      <header className="dc-public-bar">
        <span className="dc-brand">
          <BrandGlyph />
          <span>{t('productTitle')}</span>
        </span>
        <PublicLanguageSwitch />
      </header>
      <PublicFeedback />
      <main className="dc-public-main">{children}</main>
    </div>
  );
};
