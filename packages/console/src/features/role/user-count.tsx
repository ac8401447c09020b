import type { RoleRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { countText } from '../../i18n/numbers.ts';
import { userListPath } from '../../paths.ts';
import { Link } from '../../ui/routing.ts';

/** Number of users with the role, linked to them if the user may list users. */
export const UserCount = ({ role: { roleId, roleName, userCount } }: { role: RoleRow }) => {
  const { t } = useTranslation('role');
  const mayUsers = useCan('user:read');
  if (!mayUsers || userCount === 0) return <span className="dc-number">{countText(userCount)}</span>;
  return (
    <Link
      className="dc-number"
      to={userListPath}
      search={{ roleId }}
      aria-label={`${t('usersOf', { name: roleName })}: ${countText(userCount)}`}
    >
      {countText(userCount)}
    </Link>
  );
};
