import type { RoleRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { rolePath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Link } from '../../ui/routing.ts';
import { timeColumns } from '../../ui/time-columns.tsx';
import { MenuChips, useMenuNames } from './menu-chips.tsx';
import { UserCount } from './user-count.tsx';

export const useRoleColumns = (): Column<RoleRow>[] => {
  const { t } = useTranslation(['role', 'common']);
  const operator = usePlatformOperator();
  const nameOf = useMenuNames();
  return useMemo(() => {
    const tenant: Column<RoleRow> = {
      key: 'tenant',
      title: t('role:tenant'),
      render: ({ tenancyName }) => tenancyName,
    };
    return [
      {
        key: 'name',
        title: t('role:nameAndId'),
        always: true,
        mobile: true,
        render: ({ roleId, roleName, builtin }) => (
          <div className="dc-name-cell">
            <span>
              <Link to={rolePath(roleId, 2)}>{roleName}</Link>{' '}
              {builtin === 1 && <span className="dc-tag">{t('role:builtin')}</span>}
            </span>
            <CopyId value={roleId} label={roleName} />
          </div>
        ),
      },
      ...(operator ? [tenant] : []),
      {
        key: 'menus',
        title: t('role:menus'),
        render: ({ menus, builtin }) =>
          builtin === 1 ? t('role:allMenus', { count: menus.length }) : <MenuChips menus={menus} nameOf={nameOf} />,
      },
      {
        key: 'users',
        title: t('role:users'),
        width: 88,
        mobile: true,
        render: (role) => <UserCount role={role} />,
      },
      ...timeColumns<RoleRow>(),
    ];
  }, [t, operator, nameOf]);
};
