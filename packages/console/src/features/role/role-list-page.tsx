import { type RoleRow, roleCalls } from '@device-center/contract';
import { Plus, Shield } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { rolePath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { timesOf } from '../../ui/day-range.ts';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link, useNavigate } from '../../ui/routing.ts';
import { RowMenu, type RowMenuItem } from '../../ui/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeleteRole } from './delete-role.tsx';
import { useRoleColumns } from './role-columns.tsx';
import { RoleFilters } from './role-filters.tsx';
import { roleListSearch } from './role-search.ts';

const RoleListPage = () => {
  const { t } = useTranslation(['role', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('role:write');
  const list = useListSearch(roleListSearch);
  const { from, to, ...search } = list.search;
  const query = useCall(roleCalls.queryRoleList, { ...search, ...timesOf({ from, to }) }, { keepPrevious: true });
  const columns = useRoleColumns();
  const [deleting, setDeleting] = useState<RoleRow>();

  const create = mayWrite && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: rolePath('0', 0), search: { tenancyId: search.tenancyId } })}
    >
      {t('role:addTitle')}
    </Button>
  );

  const rowActions = (role: RoleRow) => {
    const editable = mayWrite && role.builtin === 0;
    const open = (status: 0 | 1 | 2) => void navigate({ to: rolePath(role.roleId, status) });
    const view: RowMenuItem = { key: 'view', label: t('common:view'), onClick: () => open(2) };
    const copy: RowMenuItem = { key: 'copy', label: t('role:copyRole'), onClick: () => open(0) };
    const remove: RowMenuItem = {
      key: 'delete',
      label: t('common:delete'),
      danger: true,
      onClick: () => setDeleting(role),
    };
    return (
      <>
        <Link to={rolePath(role.roleId, editable ? 1 : 2)}>{t(editable ? 'common:edit' : 'common:view')}</Link>
        {mayWrite && <RowMenu name={role.roleName} items={editable ? [view, copy, remove] : [copy]} />}
      </>
    );
  };

  return (
    <>
      <PageHeader
        title={t('role:listTitle')}
        subtitle={query.data ? t('role:count', { total: query.data.total }) : ' '}
        actions={create}
      />
      <DataTable<RoleRow>
        id="role"
        rowKey="roleId"
        rowName={({ roleName }) => roleName}
        columns={columns}
        actions={rowActions}
        query={query}
        list={list}
        filters={<RoleFilters list={list} />}
        empty={
          <EmptyState
            icon={<Shield size={22} />}
            title={t('role:emptyTitle')}
            text={t('role:emptyText')}
            action={create}
          />
        }
      />
      {deleting && (
        <DeleteRole role={deleting} onClose={() => setDeleting(undefined)} onDeleted={() => setDeleting(undefined)} />
      )}
    </>
  );
};

export default RoleListPage;
