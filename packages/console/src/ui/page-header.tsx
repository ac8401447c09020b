import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { backTo } from './list-search.ts';
import { type Path, useNavigate } from './routing.ts';

type PageHeaderProps = {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  backTo?: Path;
  /** Picture beside the title. */
  picture?: ReactNode;
};

/** Title, live counts and at most one primary action; also sets the document title. */
export const PageHeader = ({ title, subtitle, actions, backTo: listPath, picture }: PageHeaderProps) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useEffect(() => {
    document.title = `${title} - ${t('productTitle')}`;
  }, [title, t]);
  return (
    <header className="dc-page-header">
      {listPath !== undefined && (
        <Button
          type="text"
          aria-label={t('back')}
          icon={<ArrowLeft size={18} aria-hidden />}
          onClick={() => void navigate(backTo(listPath))}
        />
      )}
      {picture}
      <div className="dc-page-title">
        <h1>{title}</h1>
        {subtitle !== undefined && <p>{subtitle}</p>}
      </div>
      {actions !== undefined && <div className="dc-page-actions">{actions}</div>}
    </header>
  );
};
