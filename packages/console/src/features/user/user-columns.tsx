import type { UserRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useSession } from '../../api/session.ts';
import { userPath } from '../../paths.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { useMobile } from '../../ui/media.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Link } from '../../ui/routing.ts';
import { Email, Phone } from './contact.tsx';
import { RoleCell } from './role-cell.tsx';

export const useUserColumns = (): Column<UserRow>[] => {
  const { t } = useTranslation(['user', 'common']);
  const operator = usePlatformOperator();
  const ownId = useSession()?.userId;
  const mobile = useMobile();
  return useMemo(() => {
    const tenant: Column<UserRow> = {
      key: 'tenant',
      title: t('user:tenant'),
      render: ({ tenancyName }) => tenancyName,
    };
    return [
      {
        key: 'name',
        title: t('user:nameAndAccount'),
        always: true,
        mobile: true,
        render: ({ userId, name, username, roleName }) => (
          <div className="dc-name-cell">
            <span>
              <Link to={userPath(userId, 2)}>{name}</Link>{' '}
              {userId === ownId && <span className="dc-tag">{t('user:you')}</span>}
            </span>
            <CopyId value={username} label={t('user:username')} />
            {mobile && <span className="dc-muted">{roleName}</span>}
          </div>
        ),
      },
      { key: 'role', title: t('user:role'), width: 190, render: (user) => <RoleCell user={user} /> },
      ...(operator ? [tenant] : []),
      { key: 'phone', title: t('user:phone'), width: 150, render: ({ phone }) => <Phone value={phone} /> },
      { key: 'email', title: t('user:email'), width: 200, render: ({ email }) => <Email value={email} /> },
      {
        key: 'lastLogin',
        title: t('user:lastLogin'),
        width: 120,
        render: ({ lastLoginTime }) => <RelativeTime value={lastLoginTime} />,
      },
      {
        key: 'createTime',
        title: t('common:createTime'),
        width: 120,
        sortField: 1,
        render: ({ createTime }) => <RelativeTime value={createTime} />,
      },
    ];
  }, [t, operator, ownId, mobile]);
};
