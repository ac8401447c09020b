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
import { refusalOf, showAtFields } from '../../ui/form-error.ts';
import type { NewKey } from './created-key-dialog.tsx';
import { expireTimeOf } from './expiry.ts';
import { ExpiryFields } from './expiry-fields.tsx';
import { emptyKey, type KeyFields } from './key-fields.ts';
import { ApplicationField, RoleField } from './key-target.tsx';
import { targetOf, useScopes } from './scopes.ts';

const rules = apiKeyCalls.addApiKey.input.shape;

type MakeKeyProps = {
  /** Whose key is thought of first, by the filter of the list. */
  tenancyId: string | undefined;
  onMade: (key: NewKey) => void;
  onClose: () => void;
};

export const MakeKey = ({ tenancyId: asked, onMade, onClose }: MakeKeyProps) => {
  const { t } = useTranslation(['apiKey', 'common']);
  const [form] = Form.useForm<KeyFields>();
  const session = useSession();
  const operator = usePlatformOperator();
  const [initial] = useState(() => emptyKey((operator ? asked : undefined) ?? session?.tenancyId ?? ''));
  const scope = Form.useWatch('scope', form) ?? initial.scope;
  const tenancyId = Form.useWatch('tenancyId', form) ?? initial.tenancyId;
  const tenants = useTenantChoices(tenancyId);
  const scopes = useScopes(tenancyId);
  const add = useCallMutation(apiKeyCalls.addApiKey);

  const make = async (values: KeyFields) => {
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
      onMade({ key, scope: values.scope });
    } catch (error) {
      // The toast tells what belongs to no field.
      showAtFields(form, refusalOf(error));
    }
  };

  // Another tenant has other roles, and may not have keys of every scope.
  const forgetTargets = () => form.setFieldsValue({ scope: 'role', roleId: '', applicationId: '' });

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
            {t('apiKey:make')}
          </Button>
        </>
      }
    >
      <Form<KeyFields>
        form={form}
        layout="vertical"
        initialValues={initial}
        disabled={add.isPending}
        onFinish={(values) => void make(values)}
      >
        <Field name="keyName" label={t('apiKey:keyName')} schema={rules.keyName} hint={t('apiKey:nameHint')}>
          <Input autoFocus autoComplete="off" />
        </Field>
        {operator && (
          <Field name="tenancyId" label={t('apiKey:tenant')} schema={rules.tenancyId}>
            <ChoiceSelect choices={tenants} onChange={forgetTargets} />
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
