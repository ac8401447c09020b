import { type Output, type RoleRow, roleCalls } from '@device-center/contract';
import { Alert, Form } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan, useSession } from '../../api/session.ts';
import { useCall, useCallMutation } from '../../api/use-call.ts';
import { roleListPath, userPath } from '../../paths.ts';
import { FormPage } from '../../ui/form-page.tsx';
import { pageTarget, usePageSearch } from '../../ui/routing.ts';
import { MenuPreview } from './menu-preview.tsx';
import { groupsOf, leafIds } from './menu-tree.ts';
import { roleFormSearch } from './role-search.ts';
import { type RoleFields, RoleSections } from './role-sections.tsx';

const NAME_MAX = 20;

/** Creates a role. With a template, copies its menus under another name. */
export const CreateRole = ({ template }: { template?: RoleRow }) => {
  const { t } = useTranslation('role');
  const [form] = Form.useForm<RoleFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const requested = usePageSearch(roleFormSearch).tenancyId;
  const mayUsers = useCan('user:write');
  const add = useCallMutation(roleCalls.addRole);
  const [initial] = useState<RoleFields>(() => {
    const suffix = t('copySuffix');
    return {
      roleName: template ? `${template.roleName.slice(0, NAME_MAX - suffix.length)}${suffix}` : '',
      menus: template?.menus ?? [],
      tenancyId: template?.tenancyId ?? (operator ? requested : undefined) ?? session?.tenancyId ?? '',
    };
  });
  const tenancyId = Form.useWatch('tenancyId', form) ?? initial.tenancyId;
  const menus = Form.useWatch('menus', form) ?? initial.menus;
  const tenants = useTenantChoices(tenancyId);
  const query = useCall(roleCalls.queryMenuListTree, { tenancyId });
  const { data: tree } = query;

  useEffect(() => {
    if (!tree) return;
    // Another tenant may allow fewer menus, and a copied role may have menus that the user may not grant.
    const allowed = new Set(leafIds(groupsOf(tree)));
    const chosen: number[] = form.getFieldValue('menus') ?? [];
    form.setFieldValue(
      'menus',
      chosen.filter((menuId) => allowed.has(menuId)),
    );
  }, [form, tree]);

  return (
    <FormPage<RoleFields, Output<typeof roleCalls.addRole>>
      title={t('addTitle')}
      form={form}
      initial={initial}
      backTo={roleListPath}
      goesOn={
        mayUsers
          ? { text: t('giveToUser'), to: ({ roleId }) => pageTarget(userPath('0', 0), { tenancyId, roleId }) }
          : undefined
      }
      onSubmit={(values) =>
        add.mutateAsync({
          roleName: values.roleName,
          menus: values.menus,
          ...(operator ? { tenancyId: values.tenancyId } : {}),
        })
      }
      summary={
        <>
          <h2>{t('previewTitle')}</h2>
          <MenuPreview tree={tree ?? []} menus={menus} />
        </>
      }
    >
      {template && <Alert type="info" showIcon title={t('copyOf', { name: template.roleName })} />}
      <RoleSections query={query} {...(operator ? { tenants } : {})} />
    </FormPage>
  );
};
