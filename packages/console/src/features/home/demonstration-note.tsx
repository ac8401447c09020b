import { useTranslation } from 'react-i18next';
import { CopyId } from '../../ui/copy-id.tsx';

const COMMAND = 'npm run remove-demo';

/** Nobody should take figures for real that are not. */
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
