import { personalCalls } from '@device-center/contract';
import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { updateSession, useSession } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

type Passwords = { oldPassword: string; newPassword: string; confirmed: string };
const { oldPassword } = personalCalls.firstLoginUpdatePassword.input.shape;

/** Spec §2: the initial password must be changed first. The only other action is to log out. */
export const FirstPasswordPage = ({ onLogOut }: { onLogOut: () => void }) => {
  const { t } = useTranslation(['account', 'shell']);
  const session = useSession();
  const [form] = Form.useForm<Passwords>();
  const change = useCallMutation(personalCalls.firstLoginUpdatePassword, {
    toast: true,
    onSuccess: () => updateSession({ isFirst: '0' }),
  });
  const submit = (values: Passwords) =>
    change.mutate(
      { oldPassword: values.oldPassword, newPassword: values.newPassword },
      {
        onError: (error) => {
          const name = error.code === 'OLD_PASSWORD_WRONG' ? 'oldPassword' : 'newPassword';
          form.setFields([{ name, errors: [error.details[0]?.message ?? error.message] }]);
          form.scrollToField(name, { focus: true });
        },
      },
    );
  return (
    <section className="dc-card dc-first-password">
      <h1>{t('account:firstTitle')}</h1>
      <p>{t('account:firstText')}</p>
      <Form<Passwords> form={form} layout="vertical" onFinish={submit}>
        <Field name="oldPassword" label={t('account:oldPassword')} schema={oldPassword}>
          <PasswordInput autoComplete="current-password" autoFocus />
        </Field>
        <NewPasswordFields account={session?.username ?? ''} />
        <div className="dc-button-row">
          <Button type="primary" htmlType="submit" loading={change.isPending}>
            {t('account:changePassword')}
          </Button>
          <Button onClick={onLogOut}>{t('shell:logOut')}</Button>
        </div>
      </Form>
    </section>
  );
};
