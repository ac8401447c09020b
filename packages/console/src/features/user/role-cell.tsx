import { roleCalls, type UserRow, userCalls } from '@device-center/contract';
import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { useRoleChoices } from '../../api/choices.ts';
import { useCan, useSession } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import './user.css';

const RoleSelect = ({ user }: { user: UserRow }) => {
  const { t } = useTranslation(['user', 'common']);
  const { modal } = App.useApp();
  const { userId, roleId, roleName, tenancyId } = user;
  const choices = useRoleChoices(roleId, { tenancyId, known: { value: roleId, label: roleName }, forAssignment: true });
  const change = useCallMutation(userCalls.setUserRole, { toast: true, alsoRefreshes: [roleCalls.queryRoleList] });

  const ask = (chosen: string | undefined) => {
    const role = choices.options.find(({ value }) => value === chosen);
    if (!role || role.value === roleId) return;
    modal.confirm({
      title: t('user:roleTitle', { name: user.name, role: role.label }),
      content: t('user:sessionsEnd'),
      okText: t('user:changeRole'),
      cancelText: t('common:cancel'),
      // An error closes the dialog; a toast shows the reason.
      onOk: () => change.mutateAsync({ userId, roleId: role.value }).catch(() => undefined),
    });
  };

  return (
    <ChoiceSelect
      className="dc-role-select"
      variant="borderless"
      label={t('user:roleOf', { name: user.name })}
      choices={choices}
      value={roleId}
      disabled={change.isPending}
      loading={change.isPending}
      onChange={ask}
    />
  );
};

/** Role of a user. Users cannot change their own role here, because that would end their session. */
export const RoleCell = ({ user }: { user: UserRow }) => {
  const mayWrite = useCan('user:write');
  const session = useSession();
  return mayWrite && user.userId !== session?.userId ? <RoleSelect user={user} /> : user.roleName;
};
