import { CodePurpose, fields, personalCalls } from '@device-center/contract';
import { Form, Input } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { useOnline } from '../../ui/media.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { rulesFrom } from '../../ui/rules.ts';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import { type AddressKind, addressKinds } from './address-kind.ts';
import { CodeField } from './code-field.tsx';
import { useSendCode } from './use-send-code.ts';

type Fields = { password?: string; address: string; repeated: string };

type BindStepProps = {
  kind: AddressKind;
  /** The bound address; empty for none. */
  present: string;
  /** Whether to ask for the password, because no current address was verified. */
  withPassword: boolean;
  onBound: (address: string) => void;
  /** The verification of the current address is missing or expired. */
  onUnproven: (message: string) => void;
};

/** Asks for the new address twice, sends a code to it and binds it. A changed input needs a new code. */
export const BindStep = ({ kind, present, withPassword, onBound, onUnproven }: BindStepProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const { schema, texts, takenCode, input } = addressKinds[kind];
  const online = useOnline();
  const [form] = Form.useForm<Fields>();
  const address = Form.useWatch('address', form) ?? '';
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState('');
  const done = useRef(false);
  const sender = useSendCode(CodePurpose.bind);
  const bindEmail = useCallMutation(personalCalls.bindEmail);
  const bindPhone = useCallMutation(personalCalls.bindPhone);
  const sent = address !== '' && sender.sentTo === address;
  const complete = fields.code().safeParse(code).success;
  const binding = bindEmail.isPending || bindPhone.isPending;

  const showError = (error: ApiError) => {
    if (error.code === 'CODE_WRONG') {
      setCodeError(error.message);
      setCode('');
    } else if (error.code === 'PRESENT_ADDRESS_UNPROVEN') {
      done.current = true;
      onUnproven(error.message);
    } else if (error.code === 'PASSWORD_WRONG' || error.code === 'LOGIN_THROTTLED') {
      form.setFields([{ name: 'password', errors: [error.message] }]);
      form.scrollToField('password', { focus: true });
    } else {
      const errors = [error.details[0]?.message ?? error.message];
      form.setFields([{ name: 'address', errors }]);
      if (error.code === takenCode) form.scrollToField('address', { focus: true });
    }
  };

  const submit = (values: Fields) => {
    if (!sent) return sender.sendTo(kind, values.address, { onError: showAddressError });
    if (!complete || binding) return;
    const callbacks = {
      onSuccess: () => {
        done.current = true;
        onBound(values.address);
      },
      onError: showError,
    };
    const proof = { code, password: values.password };
    if (kind === 'email') bindEmail.mutate({ email: values.address, ...proof }, callbacks);
    else bindPhone.mutate({ phone: values.address, ...proof }, callbacks);
  };

  const showAddressError = (error: ApiError) => {
    if (error.code !== 'CODE_TOO_SOON') showError(error);
  };

  return (
    <Form<Fields> form={form} layout="vertical" requiredMark={false} onFinish={submit} disabled={binding}>
      {withPassword && (
        <>
          <p className="dc-person-lead">{t('personal:bindLead')}</p>
          <Field name="password" label={t('personal:ownPassword')} schema={fields.passwordAsTyped()}>
            <PasswordInput autoComplete="current-password" autoFocus />
          </Field>
        </>
      )}
      <Form.Item
        name="address"
        label={t(texts.newAddress)}
        validateFirst
        rules={[
          ...rulesFrom(schema),
          {
            validator: async (_rule, value: string = '') => {
              if (present !== '' && value.toLowerCase() === present.toLowerCase()) throw new Error(t(texts.same));
            },
          },
        ]}
        validateTrigger="onBlur"
      >
        <Input {...input} autoFocus={!withPassword} />
      </Form.Item>
      <Form.Item
        name="repeated"
        label={t(texts.repeat)}
        dependencies={['address']}
        validateTrigger="onBlur"
        rules={[
          ({ getFieldValue }) => ({
            validator: async (_rule, value: string = '') => {
              if (value !== (getFieldValue('address') ?? '')) throw new Error(t(texts.mismatch));
            },
          }),
        ]}
      >
        <Input {...input} autoComplete="off" />
      </Form.Item>
      {sent && (
        <CodeField
          {...{ sender, kind, address, code, codeError }}
          onCode={(entered) => {
            setCode(entered);
            if (entered !== '') setCodeError('');
          }}
        />
      )}
      <div className="dc-button-row">
        {sent ? (
          <Button type="primary" htmlType="submit" disabled={!complete || !online} loading={binding}>
            {t('personal:bindSubmit')}
          </Button>
        ) : (
          <Button type="primary" htmlType="submit" disabled={!online} loading={sender.sending}>
            {t('personal:sendCode')}
          </Button>
        )}
      </div>
      <UnsavedGuard isUnsaved={() => !done.current && address !== ''} />
    </Form>
  );
};
