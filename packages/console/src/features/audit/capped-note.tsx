import { AUDIT_TOTAL_MAX } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { countText } from '../../i18n/numbers.ts';

export const isCapped = (total: number): boolean => total >= AUDIT_TOTAL_MAX;

/** Tells the user that older entries exist than the list can show. */
export const CappedNote = ({ total }: { total: number }) => {
  const { t } = useTranslation('audit');
  if (!isCapped(total)) return null;
  return (
    <p className="dc-note" role="status">
      {t('capped', { total: countText(total) })}
    </p>
  );
};
