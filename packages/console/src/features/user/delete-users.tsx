import { roleCalls, tenancyCalls, type UserRow, userCalls } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../api/use-call.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';

const NAMES_SHOWN = 10;

type DeleteUsersProps = { users: UserRow[]; onClose: () => void; onDeleted: () => void };

/** One or several, all or none. */
export const DeleteUsers = ({ users, onClose, onDeleted }: DeleteUsersProps) => {
  const { t } = useTranslation('user');
  const [refused, setRefused] = useState<string>();
  const remove = useCommand(userCalls.deleteUsers, {
    toast: true,
    alsoRefreshes: [roleCalls.queryRoleList, tenancyCalls.queryTenancyList],
  });
  const confirm = async () => {
    try {
      await remove.mutateAsync({ userIds: users.map(({ userId }) => userId) });
      onDeleted();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };
  const [first] = users;
  const names = users.slice(0, NAMES_SHOWN).map(({ name, username }) => `${name} (${username})`);
  return (
    <ConfirmDelete
      open
      title={
        users.length === 1
          ? t('deleteTitle', { name: first?.name ?? '' })
          : t('deleteManyTitle', { count: users.length })
      }
      text={
        <>
          <p>{t('deleteText')}</p>
          {users.length > 1 && (
            <p className="dc-muted">
              {names.join(t('listSeparator'))}
              {users.length > NAMES_SHOWN && ' …'}
            </p>
          )}
        </>
      }
      refusal={refused}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};
