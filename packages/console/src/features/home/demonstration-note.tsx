import { useTranslation } from 'react-i18next';
import { CopyId } from '../../ui/copy-id.tsx';

const COMMAND = 'npm run remove-demo';

/** Warns that the figures come from demonstration data. */
export const DemonstrationNote = () => {
  const { t } = useTranslation('home');
  return (
    <div className="dc-note dc-home-demonstration">
      <span>
        <strong>{t('demonstration')}</strong> {t('demonstrationText')}
      </span>
      <CopyId value={COMMAND} label={t('demonstrationCommand')} />
    </div>
  );
};
