import { type TenancyRow, tenancyCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { applicationListPath, userListPath } from '../../paths.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import { Dependents } from '../../ui/delete-rows.tsx';
import { Link } from '../../ui/routing.ts';

const LinkedTenants = ({ tenants }: { tenants: TenancyRow[] }) => {
  const { t } = useTranslation('tenancy');
  const items = tenants.map(({ tenancyId, tenancyName, applicationCount, userCount }) => ({
    id: tenancyId,
    name: tenancyName,
    links: (
      <>
        {applicationCount > 0 && (
          <Link to={applicationListPath} search={{ tenancyId }}>
            {t('linkedApplications', { count: applicationCount })}
          </Link>
        )}
        {userCount > 0 && (
          <Link to={userListPath} search={{ tenancyId }}>
            {t('linkedUsers', { count: userCount })}
          </Link>
        )}
      </>
    ),
  }));
  return <Dependents title={t('linkedTitle')} items={items} />;
};

type DeleteTenantsProps = { tenants: TenancyRow[]; onClose: () => void; onDeleted: () => void };

/** Deletes all given tenants or none. The hub rejects tenants with users or applications; the counts show them first. */
export const DeleteTenants = ({ tenants, onClose, onDeleted }: DeleteTenantsProps) => {
  const { t } = useTranslation('tenancy');
  const single = useCallMutation(tenancyCalls.deleteTenancy, { toast: true });
  const several = useCallMutation(tenancyCalls.deleteTenancies, { toast: true });
  const linked = tenants.filter(({ applicationCount, userCount }) => applicationCount + userCount > 0);
  const [first] = tenants;

  const confirm = async () => {
    if (tenants.length === 1 && first) await single.mutateAsync({ tenancyId: first.tenancyId });
    else await several.mutateAsync({ tenancyId: tenants.map(({ tenancyId }) => tenancyId) });
    onDeleted();
  };

  return (
    <ConfirmDelete
      open
      title={
        tenants.length === 1
          ? t('deleteTitle', { name: first?.tenancyName ?? '' })
          : t('deleteManyTitle', { count: tenants.length })
      }
      text={t('deleteText')}
      blockedReason={linked.length > 0 ? <LinkedTenants tenants={linked} /> : undefined}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};
