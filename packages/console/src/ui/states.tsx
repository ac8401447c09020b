import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { CopyId } from './copy-id.tsx';
import { type Fact, FactList } from './fact-list.tsx';

export { EmptyState } from './empty-state.tsx';

export type ShownError = { message: string; requestId?: string | undefined };

type ErrorCardProps = { error: ShownError; onRetry?: () => void; action?: ReactNode };

export const ErrorCard = ({ error, onRetry, action }: ErrorCardProps) => {
  const { t } = useTranslation();
  return (
    <div className="dc-error-card" role="alert">
      <CircleAlert size={20} aria-hidden />
      <div>
        <strong>{error.message}</strong>
        {error.requestId !== undefined && (
          <p>
            {t('requestId')} <CopyId value={error.requestId} label={t('requestId')} />
          </p>
        )}
        <div className="dc-error-actions">
          {onRetry !== undefined && <Button onClick={onRetry}>{t('retry')}</Button>}
          {action}
        </div>
      </div>
    </div>
  );
};

export const KeyValue = ({ items }: { items: Fact[] }) => (
  <FactList
    className="dc-facts"
    facts={items.map(({ label, value }) => ({ label, value: value === '' ? '—' : value }))}
  />
);
