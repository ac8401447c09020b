import { roleCalls, tenancyCalls, type UserRow, userCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { DeleteRows } from '../../ui/delete-rows.tsx';

type DeleteUsersProps = { users: UserRow[]; onClose: () => void; onDeleted: () => void };

export const DeleteUsers = ({ users, ...then }: DeleteUsersProps) => {
  const { t } = useTranslation('user');
  const { mutateAsync } = useCallMutation(userCalls.deleteUsers, {
    toast: true,
    alsoRefreshes: [roleCalls.queryRoleList, tenancyCalls.queryTenancyList],
  });
  const [first] = users;
  return (
    <DeleteRows
      names={users.map(({ name, username }) => `${name} (${username})`)}
      mutedNames
      titles={{
        one: () => t('deleteTitle', { name: first?.name ?? '' }),
        several: (count) => t('deleteManyTitle', { count }),
      }}
      text={<p>{t('deleteText')}</p>}
      remove={() => mutateAsync({ userIds: users.map(({ userId }) => userId) })}
      {...then}
    />
  );
};
