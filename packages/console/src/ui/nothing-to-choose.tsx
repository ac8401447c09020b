import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** What an empty list says, as the one option that it has: a list box may hold nothing else. */
export const NothingToChoose = ({ children }: { children?: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <span className="dc-muted" role="option" aria-disabled aria-selected={false} tabIndex={-1}>
      {children ?? t('noMatch')}
    </span>
  );
};
