import { type Output, quotaCalls, type TenancyRow } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import { QuotaList } from '../../ui/quota-list.tsx';
import { EditQuotas } from './edit-quotas.tsx';

type Quotas = Output<typeof quotaCalls.getTenancyQuotas>;

export const TenantQuotas = ({ tenant: { tenancyId, tenancyName } }: { tenant: TenancyRow }) => {
  const { t } = useTranslation('quota');
  const mayWrite = useCan('tenancy:write');
  const query = useCall(quotaCalls.getTenancyQuotas, { tenancyId });
  const [editing, setEditing] = useState(false);
  return (
    <section className="dc-card dc-padded dc-quota-card dc-tenant-quotas" aria-labelledby="tenant-quotas">
      <div className="dc-quota-line">
        <h2 id="tenant-quotas">{t('title')}</h2>
        {mayWrite && query.data && <Button onClick={() => setEditing(true)}>{t('edit')}</Button>}
      </div>
      <Loaded<Quotas> query={query}>
        {({ quotas }) => (
          <>
            <QuotaList quotas={quotas} />
            {editing && (
              <EditQuotas tenancyId={tenancyId} name={tenancyName} quotas={quotas} onClose={() => setEditing(false)} />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};
