import { Inbox } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { EmptyState } from '../ui/states.tsx';

export const NoPagesPage = () => {
  const { t } = useTranslation('shell');
  const tenancyName = useSession()?.tenancyName ?? '';
  return (
    <section className="dc-card">
      <EmptyState icon={<Inbox size={22} />} title={t('noPagesTitle')} text={t('noPagesText', { tenancyName })} />
    </section>
  );
};
