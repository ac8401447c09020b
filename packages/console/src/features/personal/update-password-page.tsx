import { fields, personalCalls } from '@device-center/contract';
import { Form } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { announceSuccess } from '../../api/feedback.ts';
import { useSession } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { useOnline } from '../../ui/media.ts';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import './personal.css';
import { personPaths } from '../../paths.ts';

type Passwords = { oldPassword: string; newPassword: string; confirmed: string };

const UpdatePasswordPage = () => {
  const { t } = useTranslation(['personal', 'common', 'shell']);
  const navigate = useNavigate();
  const account = useSession()?.username ?? '';
  const [form] = Form.useForm<Passwords>();
  const password = Form.useWatch('newPassword', form) ?? '';
  const confirmed = Form.useWatch('confirmed', form) ?? '';
  const online = useOnline();
  const done = useRef(false);
  const change = useCallMutation(personalCalls.firstLoginUpdatePassword, {
    onSuccess: () => {
      done.current = true;
      announceSuccess(t('personal:passwordChanged'));
      void navigate({ to: personPaths.center });
    },
  });

  const showError = (error: ApiError) => {
    const name = error.code === 'OLD_PASSWORD_WRONG' ? 'oldPassword' : 'newPassword';
    form.setFields([{ name, errors: [error.details[0]?.message ?? error.message] }]);
    form.scrollToField(name, { focus: true });
  };

  return (
    <>
      <PageHeader title={t('shell:passwordTitle')} backTo={personPaths.center} />
      <section className="dc-card dc-person-form">
        <p className="dc-person-lead">{t('personal:passwordLead')}</p>
        <Form<Passwords>
          form={form}
          layout="vertical"
          requiredMark={false}
          onFinish={({ oldPassword, newPassword }) =>
            change.mutate({ oldPassword, newPassword }, { onError: showError })
          }
        >
          <Field name="oldPassword" label={t('personal:oldPassword')} schema={fields.passwordAsTyped()}>
            <PasswordInput autoComplete="current-password" autoFocus />
          </Field>
          <NewPasswordFields account={account} />
          <div className="dc-button-row">
            <Button type="primary" htmlType="submit" disabled={!online} loading={change.isPending}>
              {t('personal:passwordSubmit')}
            </Button>
            <Button onClick={() => void navigate({ to: personPaths.center })}>{t('common:cancel')}</Button>
          </div>
        </Form>
        <UnsavedGuard isUnsaved={() => !done.current && (password !== '' || confirmed !== '')} />
      </section>
    </>
  );
};

export default UpdatePasswordPage;
