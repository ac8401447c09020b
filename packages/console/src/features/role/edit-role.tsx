import { type MenuNode, type RoleRow, roleCalls } from '@device-center/contract';
import { Alert, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { send } from '../../api/send.ts';
import { updateMenus, useSession } from '../../api/session.ts';
import { useCall, useCallMutation } from '../../api/use-call.ts';
import { roleListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { FormPage } from '../../ui/form-page.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { MenuPreview } from './menu-preview.tsx';
import { groupsOf, leafIds } from './menu-tree.ts';
import { type RoleFields, RoleSections } from './role-sections.tsx';
import { UserCount } from './user-count.tsx';

type EditRoleFormProps = { role: RoleRow; tree: MenuNode[] };

const EditRoleForm = ({ role, tree }: EditRoleFormProps) => {
  const { t } = useTranslation(['role', 'common']);
  const [form] = Form.useForm<RoleFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const update = useCallMutation(roleCalls.updateRole);
  const { roleId, tenancyId } = role;
  // The values at opening: a background refetch must not overwrite the selection.
  const [initial] = useState<RoleFields>(() => {
    const allowed = new Set(leafIds(groupsOf(tree)));
    return { roleName: role.roleName, menus: role.menus.filter((menuId) => allowed.has(menuId)), tenancyId };
  });
  const [beyond] = useState(role.menus.length - initial.menus.length);
  const menus = Form.useWatch('menus', form) ?? initial.menus;

  const save = async (values: RoleFields) => {
    await update.mutateAsync({ roleId, roleName: values.roleName, menus: values.menus });
    // If it is the user's own role, update the sidebar immediately.
    if (roleId === session?.roleId) updateMenus((await send(roleCalls.getRoleMenu, { roleId })).menus);
  };

  return (
    <FormPage<RoleFields>
      title={t('role:editTitle')}
      form={form}
      initial={initial}
      backTo={roleListPath}
      submitText={t('common:save')}
      onSubmit={save}
      summary={
        <>
          <h2>{t('role:previewTitle')}</h2>
          <MenuPreview tree={tree} menus={menus} />
          <KeyValue
            items={[
              ...(operator ? [{ label: t('role:tenant'), value: role.tenancyName }] : []),
              { label: t('role:users'), value: <UserCount role={role} /> },
            ]}
          />
        </>
      }
    >
      {beyond > 0 && <Alert type="warning" showIcon title={t('role:menusBeyondYours', { count: beyond })} />}
      <RoleSections query={{ data: tree, error: null, refetch: () => undefined }} />
    </FormPage>
  );
};

export const EditRole = ({ role }: { role: RoleRow }) => {
  const query = useCall(roleCalls.queryMenuListTree, { tenancyId: role.tenancyId });
  return <Loaded<MenuNode[]> query={query}>{(tree) => <EditRoleForm role={role} tree={tree} />}</Loaded>;
};
