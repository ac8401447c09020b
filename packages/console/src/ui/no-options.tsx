import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Text of an empty list box, as a disabled option: a list box may contain only options. */
export const NoOptions = ({ children }: { children?: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <span className="dc-muted" role="option" aria-disabled aria-selected={false} tabIndex={-1}>
      {children ?? t('noMatch')}
    </span>
  );
};
