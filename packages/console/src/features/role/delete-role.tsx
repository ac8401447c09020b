import { type RoleRow, roleCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { userListPath } from '../../paths.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import { Link } from '../../ui/routing.ts';

const HeldRole = ({ role: { roleId, userCount } }: { role: RoleRow }) => {
  const { t } = useTranslation('role');
  const mayUsers = useCan('user:read');
  return (
    <>
      <p>{t('heldText', { count: userCount })}</p>
      {mayUsers && (
        <p className="dc-linked">
          <Link to={userListPath} search={{ roleId }}>
            {t('heldUsers')}
          </Link>
        </p>
      )}
    </>
  );
};

type DeleteRoleProps = { role: RoleRow; onClose: () => void; onDeleted: () => void };

export const DeleteRole = ({ role, onClose, onDeleted }: DeleteRoleProps) => {
  const { t } = useTranslation('role');
  const remove = useCallMutation(roleCalls.deleteRole, { toast: true });
  const confirm = async () => {
    await remove.mutateAsync({ roleId: role.roleId });
    onDeleted();
  };
  return (
    <ConfirmDelete
      open
      title={t('deleteTitle', { name: role.roleName })}
      text={t('deleteText')}
      blockedReason={role.userCount > 0 ? <HeldRole role={role} /> : undefined}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};
