import { roleCalls, type UserRow, userCalls } from '@device-center/contract';
import { Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoleChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { userListPath } from '../../paths.ts';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import { FormPage, FormSection } from '../../ui/form-page.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { Email, Phone } from './contact.tsx';

type RoleField = { roleId: string };

/** Changes a user's role. Users change their other data themselves in the personal center. */
export const EditUser = ({ user }: { user: UserRow }) => {
  const { t } = useTranslation(['user', 'common']);
  const [form] = Form.useForm<RoleField>();
  const operator = usePlatformOperator();
  const change = useCallMutation(userCalls.setUserRole, { alsoRefreshes: [roleCalls.queryRoleList] });
  const { userId, tenancyId } = user;
  const [initial] = useState<RoleField>(() => ({ roleId: user.roleId }));
  const [known] = useState(() => ({ value: user.roleId, label: user.roleName }));
  const roleId = Form.useWatch('roleId', form) ?? initial.roleId;
  const roles = useRoleChoices(roleId, { tenancyId, known, forAssignment: true });
  return (
    <FormPage<RoleField>
      title={t('user:editTitle')}
      form={form}
      initial={initial}
      backTo={userListPath}
      submitText={t('common:save')}
      onSubmit={(values) => change.mutateAsync({ userId, roleId: values.roleId })}
      summary={
        <>
          <h2>{t('user:editNoteTitle')}</h2>
          <p>{t('user:sessionsEnd')}</p>
        </>
      }
    >
      <FormSection title={t('user:role')}>
        <Field name="roleId" label={t('user:role')} schema={userCalls.setUserRole.input.shape.roleId}>
          <ChoiceSelect choices={roles} />
        </Field>
      </FormSection>
      <FormSection title={t('user:sectionAccount')}>
        <p className="dc-muted">{t('user:readOnlyHint')}</p>
        <KeyValue
          items={[
            { label: t('user:username'), value: user.username },
            { label: t('user:name'), value: user.name },
            { label: t('user:email'), value: <Email value={user.email} /> },
            { label: t('user:phone'), value: <Phone value={user.phone} /> },
            ...(operator ? [{ label: t('user:tenant'), value: user.tenancyName }] : []),
          ]}
        />
      </FormSection>
    </FormPage>
  );
};
