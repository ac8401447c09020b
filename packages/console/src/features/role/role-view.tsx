import { type RoleRow, roleCalls } from '@device-center/contract';
import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { DetailPage } from '../../ui/detail-page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { KeyValue } from '../../ui/states.tsx';
import { useMenuNames } from './menu-chips.tsx';
import { MenuPreview } from './menu-preview.tsx';
import { groupsOf, leafIds, selectedGroups } from './menu-tree.ts';
import { UserCount } from './user-count.tsx';
import './role.css';
import { roleListPath, rolePath } from '../../paths.ts';

const Names = ({ menus }: { menus: readonly number[] }) => {
  const nameOf = useMenuNames();
  return (
    <div className="dc-menu-chips">
      {menus.map((menuId) => (
        <span key={menuId} className="dc-tag">
          {nameOf(menuId)}
        </span>
      ))}
    </div>
  );
};

export const RoleView = ({ role }: { role: RoleRow }) => {
  const { t } = useTranslation(['role', 'common']);
  const navigate = useNavigate();
  const operator = usePlatformOperator();
  const mayWrite = useCan('role:write');
  const { data: tree } = useCall(roleCalls.queryMenuListTree, { tenancyId: role.tenancyId });
  const groups = selectedGroups(groupsOf(tree ?? []), new Set(role.menus));
  const grouped = new Set(leafIds(groups));
  const others = role.menus.filter((menuId) => !grouped.has(menuId));
  const open = (status: 0 | 1) => void navigate({ to: rolePath(role.roleId, status) });
  return (
    <DetailPage
      title={role.roleName}
      id={role.roleId}
      backTo={roleListPath}
      status={role.builtin === 1 && <span className="dc-tag">{t('role:builtin')}</span>}
      actions={
        mayWrite && (
          <>
            <Button onClick={() => open(0)}>{t('role:copyRole')}</Button>
            {role.builtin === 0 && (
              <Button type="primary" onClick={() => open(1)}>
                {t('common:edit')}
              </Button>
            )}
          </>
        )
      }
      facts={
        <>
          <KeyValue
            items={[
              ...(operator ? [{ label: t('role:tenant'), value: role.tenancyName }] : []),
              { label: t('role:users'), value: <UserCount role={role} /> },
              { label: t('common:createTime'), value: <RelativeTime value={role.createTime} /> },
              { label: t('common:updateTime'), value: <RelativeTime value={role.updateTime} /> },
            ]}
          />
          <h2 className="dc-preview-title">{t('role:previewTitle')}</h2>
          <MenuPreview tree={tree ?? []} menus={role.menus} />
        </>
      }
    >
      <section className="dc-card dc-padded dc-role-menus">
        {role.builtin === 1 && <p className="dc-muted">{t('role:builtinHint')}</p>}
        {!tree && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
        {groups.map(({ key, name, leaves }) => (
          <div key={key}>
            <h2>{name}</h2>
            <Names menus={leaves.map(({ menuId }) => menuId)} />
          </div>
        ))}
        {tree && others.length > 0 && (
          <div>
            <h2>{t('role:otherMenus')}</h2>
            <Names menus={others} />
          </div>
        )}
      </section>
    </DetailPage>
  );
};
