import { apiKeyCalls } from '@device-center/contract';
import { Form, Input, Modal, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useSession } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { Field } from '../../ui/field.tsx';
import { showFieldErrors, toFormError } from '../../ui/form-error.ts';
import type { CreatedKey } from './created-key-dialog.tsx';
import { expireTimeOf } from './expiry.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import { emptyKey, type KeyFields } from './key-fields.ts';
import { ApplicationField, RoleField } from './key-target.tsx';
import { targetOf, useScopes } from './scopes.ts';

const rules = apiKeyCalls.addApiKey.input.shape;

type CreateKeyDialogProps = {
  /** The tenant that is preselected: the one by which the list is filtered. */
  tenancyId: string | undefined;
  onCreated: (key: CreatedKey) => void;
  onClose: () => void;
};

export const CreateKeyDialog = ({ tenancyId: filteredTenancyId, onCreated, onClose }: CreateKeyDialogProps) => {
  const { t } = useTranslation(['apiKey', 'common']);
  const [form] = Form.useForm<KeyFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const [initial] = useState(() => emptyKey((operator ? filteredTenancyId : undefined) ?? session?.tenancyId ?? ''));
  const scope = Form.useWatch('scope', form) ?? initial.scope;
  const tenancyId = Form.useWatch('tenancyId', form) ?? initial.tenancyId;
  const tenants = useTenantChoices(tenancyId);
  const scopes = useScopes(tenancyId);
  const add = useCallMutation(apiKeyCalls.addApiKey);

  const create = async (values: KeyFields) => {
    const target = targetOf(values.scope);
    try {
      const { key } = await add.mutateAsync({
        keyName: values.keyName,
        scope: values.scope,
        ...(target === 'role' ? { roleId: values.roleId } : {}),
        ...(target === 'application' ? { applicationId: values.applicationId } : {}),
        expireTime: expireTimeOf(values.expiry, values.expireTime, Date.now()),
        ...(operator ? { tenancyId: values.tenancyId ?? initial.tenancyId } : {}),
      });
      onCreated({ key, scope: values.scope });
    } catch (error) {
      // The toast shows errors that belong to no field.
      showFieldErrors(form, toFormError(error));
    }
  };

  // Another tenant has other roles, and may not have keys of every scope.
  const resetTargets = () => form.setFieldsValue({ scope: 'role', roleId: '', applicationId: '' });

  return (
    <Modal
      open
      title={t('apiKey:addTitle')}
      width={520}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="primary" loading={add.isPending} onClick={() => form.submit()}>
            {t('apiKey:create')}
          </Button>
        </>
      }
    >
      <Form<KeyFields>
        form={form}
        layout="vertical"
        initialValues={initial}
        disabled={add.isPending}
        onFinish={(values) => void create(values)}
      >
        <Field name="keyName" label={t('apiKey:keyName')} schema={rules.keyName} hint={t('apiKey:nameHint')}>
          <Input autoFocus autoComplete="off" />
        </Field>
        {operator && (
          <Field name="tenancyId" label={t('apiKey:tenant')} schema={rules.tenancyId}>
            <ChoiceSelect choices={tenants} onChange={resetTargets} />
          </Field>
        )}
        <Form.Item name="scope" label={t('apiKey:scope')} extra={t(`apiKey:scopeHint_${scope}`)}>
          <Radio.Group options={scopes.map((value) => ({ value, label: t(`apiKey:scope_${value}`) }))} />
        </Form.Item>
        {targetOf(scope) === 'role' && <RoleField tenancyId={tenancyId} />}
        {targetOf(scope) === 'application' && <ApplicationField tenancyId={tenancyId} />}
        <ExpiryFields />
      </Form>
    </Modal>
  );
};
