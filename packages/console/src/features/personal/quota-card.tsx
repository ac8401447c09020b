import { type Output, quotaCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { QuotaList } from '../../ui/quota-list.tsx';

/** Shown to every user of the tenant, independent of menus. */
export const QuotaCard = () => {
  const { t } = useTranslation('quota');
  const query = useCall(quotaCalls.getOwnQuotas, {});
  return (
    <section className="dc-card dc-person-card dc-quota-card" aria-labelledby="person-quotas">
      <h2 id="person-quotas">{t('ownTitle')}</h2>
      <Loaded<Output<typeof quotaCalls.getOwnQuotas>> query={query}>
        {({ quotas }) => <QuotaList quotas={quotas} />}
      </Loaded>
    </section>
  );
};
