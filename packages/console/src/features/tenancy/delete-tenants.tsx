import { type TenancyRow, tenancyCalls } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../api/use-call.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import { applicationsOf, usersOf } from './tenant-search.ts';

/** What stands in the way, by tenant, each with the way there. */
const LinkedTenants = ({ tenants }: { tenants: TenancyRow[] }) => {
  const { t } = useTranslation('tenancy');
  return (
    <>
      <p>{t('linkedTitle')}</p>
      {tenants.map(({ tenancyId, tenancyName, applicationCount, userCount }) => (
        <div key={tenancyId} className="dc-linked dc-linked-row">
          <strong>{tenancyName}</strong>
          {applicationCount > 0 && (
            <Link to={applicationsOf.to} search={{ tenancyId } as never}>
              {t('linkedApplications', { count: applicationCount })}
            </Link>
          )}
          {userCount > 0 && (
            <Link to={usersOf.to} search={{ tenancyId } as never}>
              {t('linkedUsers', { count: userCount })}
            </Link>
          )}
        </div>
      ))}
    </>
  );
};

type DeleteTenantsProps = { tenants: TenancyRow[]; onClose: () => void; onDeleted: () => void };

/** One or several, all or none; the hub refuses what has links, and the counts at hand tell so beforehand. */
export const DeleteTenants = ({ tenants, onClose, onDeleted }: DeleteTenantsProps) => {
  const { t } = useTranslation('tenancy');
  const [refused, setRefused] = useState<string>();
  const single = useCommand(tenancyCalls.deleteTenancy, { toast: true });
  const several = useCommand(tenancyCalls.deleteTenancies, { toast: true });
  const linked = tenants.filter(({ applicationCount, userCount }) => applicationCount + userCount > 0);
  const [first] = tenants;

  const confirm = async () => {
    try {
      if (tenants.length === 1 && first) await single.mutateAsync({ tenancyId: first.tenancyId });
      else await several.mutateAsync({ tenancyId: tenants.map(({ tenancyId }) => tenancyId) });
      onDeleted();
    } catch (error) {
      // The list may have been older than the truth.
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };

  const refusal = linked.length > 0 ? <LinkedTenants tenants={linked} /> : refused;
  return (
    <ConfirmDelete
      open
      title={
        tenants.length === 1
          ? t('deleteTitle', { name: first?.tenancyName ?? '' })
          : t('deleteManyTitle', { count: tenants.length })
      }
      text={t('deleteText')}
      refusal={refusal}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};
