import { systemFunctions } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../i18n/language.ts';

/** Read-only list of the system functions. */
export const SystemFunctions = () => {
  const { t } = useTranslation('model');
  return (
    <details className="dc-system-functions">
      <summary>{t('systemTitle', { count: systemFunctions.length })}</summary>
      <p className="dc-muted">{t('systemText')}</p>
      <ul>
        {systemFunctions.map(({ signCode, name, functionType }) => (
          <li key={signCode}>
            <strong>{name[currentLanguage()]}</strong> <code className="dc-mono">{signCode}</code>
            <span className="dc-muted">{t(functionType === 31 ? 'systemService' : 'systemEvent')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
};
