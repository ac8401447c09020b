import { useRouter } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { CopyId } from '../ui/copy-id.tsx';
import type { PageEntry } from '../ui/page-entry.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Rendered inside the page frame, so that the navigation stays usable. */
export const ForbiddenPage = ({ page }: { page: PageEntry }) => {
  const { t } = useTranslation(['shell', 'common']);
  const router = useRouter();
  return (
    <>
      <PageHeader title={page.title()} />
      <section className="dc-card">
        <EmptyState
          icon={<Lock size={22} />}
          title={t('shell:forbiddenTitle')}
          text={
            <>
              {t('shell:forbiddenText', { page: page.title() })}
              <br />
              {t('shell:neededMenu')} <CopyId value={page.menus.join(', ')} label={t('shell:neededMenu')} />
            </>
          }
          action={<Button onClick={() => router.history.back()}>{t('common:back')}</Button>}
        />
      </section>
    </>
  );
};
