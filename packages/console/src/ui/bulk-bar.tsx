import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

type BulkBarProps = { count: number; onClear: () => void; children: ReactNode };

export const BulkBar = ({ count, onClear, children }: BulkBarProps) => {
  const { t } = useTranslation();
  return (
    <div className="dc-bulk" role="toolbar" aria-label={t('selected', { count })}>
      <span role="status">{t('selected', { count })}</span>
      {children}
      <button type="button" aria-label={t('clearSelection')} onClick={onClear}>
        <X size={16} aria-hidden />
      </button>
    </div>
  );
};
