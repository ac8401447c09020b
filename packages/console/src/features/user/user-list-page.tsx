import { type UserRow, userCalls } from '@device-center/contract';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSession } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { personPaths, userPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { useListSearch } from '../../ui/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Link, useNavigate } from '../../ui/routing.ts';
import { RowMenu, type RowMenuItem } from '../../ui/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeleteUsers } from './delete-users.tsx';
import { useResetPassword } from './reset-password.tsx';
import { useUserColumns } from './user-columns.tsx';
import { UserFilters } from './user-filters.tsx';
import { userListSearch } from './user-search.ts';

const UserListPage = () => {
  const { t } = useTranslation(['user', 'common']);
  const navigate = useNavigate();
  const mayWrite = useCan('user:write');
  const ownId = useSession()?.userId;
  const list = useListSearch(userListSearch);
  const query = useCall(userCalls.queryUserList, list.search, { keepPrevious: true });
  const columns = useUserColumns();
  const resetPassword = useResetPassword();
  const [deleting, setDeleting] = useState<{ users: UserRow[]; done: () => void }>();

  const create = mayWrite && (
    <Button
      type="primary"
      icon={<Plus size={16} aria-hidden />}
      onClick={() => void navigate({ to: userPath('0', 0), search: { tenancyId: list.search.tenancyId } })}
    >
      {t('user:addTitle')}
    </Button>
  );

  const itemsOf = (user: UserRow): RowMenuItem[] => {
    if (user.userId === ownId) {
      return [{ key: 'own', label: t('user:personCenter'), onClick: () => void navigate({ to: personPaths.center }) }];
    }
    if (!mayWrite) return [];
    const noEmail = user.email === '';
    return [
      { key: 'view', label: t('common:view'), onClick: () => void navigate({ to: userPath(user.userId, 2) }) },
      {
        key: 'reset',
        label: t(noEmail ? 'user:resetNoEmail' : 'user:resetPassword'),
        disabled: noEmail,
        onClick: () => resetPassword.ask(user),
      },
      {
        key: 'delete',
        label: t('common:delete'),
        danger: true,
        onClick: () => setDeleting({ users: [user], done: () => undefined }),
      },
    ];
  };

  const rowActions = (user: UserRow) => {
    const editable = mayWrite && user.userId !== ownId;
    return (
      <>
        <Link to={userPath(user.userId, editable ? 1 : 2)}>{t(editable ? 'common:edit' : 'common:view')}</Link>
        <RowMenu name={user.name} items={itemsOf(user)} />
      </>
    );
  };

  return (
    <>
      <PageHeader
        title={t('user:listTitle')}
        subtitle={query.data ? t('user:count', { total: query.data.total }) : ' '}
        actions={create}
      />
      <DataTable<UserRow>
        id="user"
        rowKey="userId"
        rowName={({ name }) => name}
        columns={columns}
        actions={rowActions}
        query={query}
        list={list}
        selectable={({ userId }) => userId !== ownId}
        {...(mayWrite
          ? {
              bulk: (users: UserRow[], done: () => void) => (
                <Button danger size="small" onClick={() => setDeleting({ users, done })}>
                  {t('common:delete')}
                </Button>
              ),
            }
          : {})}
        filters={<UserFilters list={list} />}
        empty={
          <EmptyState
            icon={<Users size={22} />}
            title={t('user:emptyTitle')}
            text={t('user:emptyText')}
            action={create}
          />
        }
      />
      {resetPassword.dialog}
      {deleting && (
        <DeleteUsers
          users={deleting.users}
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

export default UserListPage;
