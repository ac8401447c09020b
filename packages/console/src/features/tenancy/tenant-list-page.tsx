import { type TenancyRow, tenancyCalls } from '@device-center/contract';
import { Building, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { tenantPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EnabledFilter, FilterBar, TextFilter } from '../../ui/filter-bar.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link, useNavigate } from '../../ui/routing.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeleteTenants } from './delete-tenants.tsx';
import { useTenantColumns } from './tenant-columns.tsx';
import { tenantListSearch } from './tenant-search.ts';

const TenantListPage = () => {
  const { t } = useTranslation(['tenancy', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('tenancy:write');
  const list = useListSearch(tenantListSearch);
  const { search, filter } = list;
  const query = useCall(tenancyCalls.queryTenancyList, search, { keepPrevious: true });
  const columns = useTenantColumns();
  const [deleting, setDeleting] = useState<{ tenants: TenancyRow[]; done: () => void }>();

  const create = mayWrite && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: tenantPath('0', 0) })}
    >
      {t('tenancy:addTitle')}
    </Button>
  );

  const rowActions = (tenant: TenancyRow) => {
    const editable = mayWrite && tenant.builtin === 0;
    return (
      <>
        <Link to={tenantPath(tenant.tenancyId, editable ? 1 : 2)}>{t(editable ? 'common:edit' : 'common:view')}</Link>
        {editable && (
          <RowMenu
            name={tenant.tenancyName}
            items={[
              {
                key: 'view',
                label: t('common:view'),
                onClick: () => void navigate({ to: tenantPath(tenant.tenancyId, 2) }),
              },
              {
                key: 'delete',
                label: t('common:delete'),
                danger: true,
                onClick: () => setDeleting({ tenants: [tenant], done: () => undefined }),
              },
            ]}
          />
        )}
      </>
    );
  };

  return (
    <>
      <PageHeader
        title={t('tenancy:listTitle')}
        subtitle={query.data ? t('tenancy:count', { total: query.data.total }) : ' '}
        actions={create}
      />
      <DataTable<TenancyRow>
        id="tenancy"
        rowKey="tenancyId"
        rowName={({ tenancyName }) => tenancyName}
        columns={columns}
        actions={rowActions}
        query={query}
        list={list}
        selectable={({ builtin }) => builtin === 0}
        {...(mayWrite
          ? {
              bulk: (tenants: TenancyRow[], done: () => void) => (
                <Button danger size="small" onClick={() => setDeleting({ tenants, done })}>
                  {t('common:delete')}
                </Button>
              ),
            }
          : {})}
        filters={
          <FilterBar
            filtered={list.filtered}
            onClear={list.clear}
            search={{
              label: t('tenancy:tenancyName'),
              value: search.tenancyName,
              onChange: useCallback((tenancyName: string) => filter({ tenancyName }), [filter]),
            }}
          >
            <TextFilter
              label={t('tenancy:companyName')}
              value={search.companyName}
              onChange={useCallback((companyName: string) => filter({ companyName }), [filter])}
            />
            <EnabledFilter
              label={t('tenancy:status')}
              value={search.enabled}
              onChange={(enabled) => filter({ enabled })}
            />
          </FilterBar>
        }
        empty={
          <EmptyState
            icon={<Building size={22} />}
            title={t('tenancy:emptyTitle')}
            text={t('tenancy:emptyText')}
            action={create}
          />
        }
      />
      {deleting && (
        <DeleteTenants
          tenants={deleting.tenants}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            deleting.done();
            setDeleting(undefined);
          }}
        />
      )}
    </>
  );
};

export default TenantListPage;
