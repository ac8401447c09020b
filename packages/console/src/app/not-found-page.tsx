import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { PublicFrame } from '../features/account/public-frame.tsx';
import { loginPath } from '../paths.ts';
import { AntdRoot } from '../ui/antd-root.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Link, usePageSearch } from '../ui/routing.ts';
import { EmptyState } from '../ui/states.tsx';
import { openPages } from './navigation.ts';
import { notFoundSearch } from './not-found-search.ts';
import { pages } from './pages.ts';
import { Shell } from './shell.tsx';

const NotFound = () => {
  const { t } = useTranslation('shell');
  const { path } = usePageSearch(notFoundSearch);
  const session = useSession();
  return (
    <>
      <PageHeader title={t('notFoundTitle')} />
      <section className="dc-card">
        <EmptyState
          icon={<Compass size={22} />}
          title={t('notFoundText')}
          text={<code>{path ?? '—'}</code>}
          action={
            <nav className="dc-page-links" aria-label={t('goTo')}>
              {session === null && <Link to={loginPath}>{t('toLogin')}</Link>}
              {openPages(pages, session).map((page) => (
                <Link key={page.path} to={page.path}>
                  {page.title()}
                </Link>
              ))}
            </nav>
          }
        />
      </section>
    </>
  );
};

export const NotFoundPage = () => {
  const session = useSession();
  if (session)
    return (
      <Shell>
        <NotFound />
      </Shell>
    );
  return (
    <AntdRoot>
      <PublicFrame>
        <div className="dc-public-card">
          <NotFound />
        </div>
      </PublicFrame>
    </AntdRoot>
  );
};
