import { type MenuNode, roleCalls } from '@device-center/contract';
import { Input, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Choices } from '../../api/choices.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import { FormSection } from '../../ui/form-page.tsx';
import { ErrorCard, type ShownError } from '../../ui/states.tsx';
import { PermissionTree } from './permission-tree.tsx';

export type RoleFields = { roleName: string; menus: number[]; tenancyId: string };

const rules = roleCalls.addRole.input.shape;

type MenuQuery = { data: MenuNode[] | undefined; error: ShownError | null; refetch: () => unknown };

const MenuSection = ({ query }: { query: MenuQuery }) => {
  const { t } = useTranslation('role');
  return (
    <FormSection title={t('sectionMenus')}>
      {query.data && (
        <Field name="menus" label={t('menus')} schema={rules.menus} hint={t('menusHint')}>
          <PermissionTree tree={query.data} />
        </Field>
      )}
      {!query.data && query.error && <ErrorCard error={query.error} onRetry={() => void query.refetch()} />}
      {!query.data && !query.error && <Skeleton active title={false} paragraph={{ rows: 6 }} aria-busy="true" />}
    </FormSection>
  );
};

type RoleSectionsProps = {
  query: MenuQuery;
  /** For platform operators creating a role: the tenants to choose from. */
  tenants?: Choices;
};

export const RoleSections = ({ query, tenants }: RoleSectionsProps) => {
  const { t } = useTranslation('role');
  return (
    <>
      <FormSection title={t('sectionBasic')}>
        <Field name="roleName" label={t('roleName')} schema={rules.roleName}>
          <Input autoFocus count={{ max: 20, show: true }} />
        </Field>
        {tenants && (
          <Field name="tenancyId" label={t('tenant')} schema={rules.tenancyId} hint={t('tenantHint')}>
            <ChoiceSelect choices={tenants} />
          </Field>
        )}
      </FormSection>
      <MenuSection query={query} />
    </>
  );
};
