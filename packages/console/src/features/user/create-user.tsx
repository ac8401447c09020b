import { type Output, roleCalls, tenancyCalls, userCalls } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoleChoices, useTenantChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan, useSession } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { Link, usePageSearch } from '../../ui/routing.ts';
import './user.css';
import { rolePath, userListPath } from '../../paths.ts';
import { OneTimePasswordDialog } from './one-time-password.tsx';
import { userFormSearch } from './user-search.ts';

type UserFields = { username: string; name: string; email: string; phone: string; tenancyId: string; roleId: string };

const rules = userCalls.addUser.input.shape;

/** Link outside of the select's popup, so that it is reachable by keyboard. */
const NewRole = ({ tenancyId }: { tenancyId: string }) => {
  const { t } = useTranslation('user');
  const mayRoles = useCan('role:write');
  if (!mayRoles) return null;
  return (
    <p className="dc-new-role">
      <Link to={rolePath('0', 0)} search={{ tenancyId }}>
        {t('newRole')}
      </Link>
    </p>
  );
};

export const CreateUser = () => {
  const { t } = useTranslation(['user', 'common']);
  const [form] = Form.useForm<UserFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const requested = usePageSearch(userFormSearch);
  const add = useCallMutation(userCalls.addUser, {
    alsoRefreshes: [roleCalls.queryRoleList, tenancyCalls.queryTenancyList],
  });
  const [initial] = useState<UserFields>(() => ({
    username: '',
    name: '',
    email: '',
    phone: '',
    tenancyId: (operator ? requested.tenancyId : undefined) ?? session?.tenancyId ?? '',
    roleId: requested.roleId ?? '',
  }));
  const tenancyId = Form.useWatch('tenancyId', form) ?? initial.tenancyId;
  const roleId = Form.useWatch('roleId', form);
  const tenants = useTenantChoices(tenancyId);
  const roles = useRoleChoices(roleId, { tenancyId, forAssignment: true });
  return (
    <FormPage<UserFields, Output<typeof userCalls.addUser>>
      title={t('user:addTitle')}
      form={form}
      initial={initial}
      backTo={userListPath}
      onSubmit={({ tenancyId: chosen, ...values }) =>
        add.mutateAsync({ ...values, ...(operator ? { tenancyId: chosen } : {}) })
      }
      result={({ password }, leave) =>
        password === undefined ? undefined : (
          <OneTimePasswordDialog
            title={t('user:createdShownTitle')}
            username={form.getFieldValue('username')}
            password={password}
            onStored={leave}
          />
        )
      }
      summary={
        <>
          <h2>{t('user:passwordTitle')}</h2>
          <p>{t('user:passwordMailed')}</p>
        </>
      }
    >
      <FormSection title={t('user:sectionAccount')}>
        <div className="dc-form-pair">
          <Field name="username" label={t('user:username')} schema={rules.username}>
            <Input autoFocus autoComplete="off" />
          </Field>
          <Field name="name" label={t('user:name')} schema={rules.name}>
            <Input autoComplete="off" />
          </Field>
          <Field name="email" label={t('user:email')} schema={rules.email} hint={t('user:emailHint')}>
            <Input inputMode="email" autoComplete="off" />
          </Field>
          <Field name="phone" label={t('user:phone')} schema={rules.phone} hint={t('user:phoneHint')}>
            <Input inputMode="numeric" autoComplete="off" />
          </Field>
        </div>
      </FormSection>
      <FormSection title={t(operator ? 'user:sectionRole' : 'user:role')}>
        {operator && (
          <Field name="tenancyId" label={t('user:tenant')} schema={rules.tenancyId}>
            <ChoiceSelect choices={tenants} onChange={() => form.setFieldValue('roleId', '')} />
          </Field>
        )}
        <Field name="roleId" label={t('user:role')} schema={rules.roleId} hint={t('user:roleHint')}>
          <ChoiceSelect choices={roles} {...(roles.none ? { nothing: t('user:noRoles') } : {})} />
        </Field>
        {roles.none && <NewRole tenancyId={tenancyId} />}
      </FormSection>
    </FormPage>
  );
};
