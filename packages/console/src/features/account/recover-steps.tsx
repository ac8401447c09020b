import { accountCalls, CODE_RESEND_SECONDS, fields } from '@device-center/contract';
import { Form, Input, Progress } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { loginPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { CodeInput, ResendButton } from '../../ui/code-input.tsx';
import { useCountdown } from '../../ui/countdown.ts';
import { Field } from '../../ui/field.tsx';
import { NewPasswordFields } from '../../ui/new-password-fields.tsx';
import { useNavigate } from '../../ui/routing.ts';

const REDIRECT_SECONDS = 5;

type Countdown = ReturnType<typeof useCountdown>;
const isEmail = (address: string): boolean => address.includes('@');

/** Sends a code by e-mail or SMS. The answer never reveals whether an account has the address. */
const useSendCode = ([, startCountdown]: Countdown) => {
  const onSuccess = () => startCountdown(CODE_RESEND_SECONDS);
  const byMail = useCallMutation(accountCalls.getVerificationCode, { onSuccess });
  const byPhone = useCallMutation(accountCalls.getPhoneCode, { onSuccess });
  const sendTo = (address: string, sent?: () => void) => {
    const options = { onSuccess: () => sent?.() };
    if (isEmail(address)) byMail.mutate({ email: address }, options);
    else byPhone.mutate({ phone: address }, options);
  };
  return { sendTo, sending: byMail.isPending || byPhone.isPending };
};

type AccountStepProps = { address: string; countdown: Countdown; onSent: (address: string) => void };

export const AccountStep = ({ address, countdown, onSent }: AccountStepProps) => {
  const { t } = useTranslation('account');
  const { sendTo, sending } = useSendCode(countdown);
  const submit = ({ address: entered }: { address: string }) => {
    // The hub sends no second code during the countdown, and the first one is still valid.
    if (entered === address && countdown[0] > 0) return onSent(entered);
    sendTo(entered, () => onSent(entered));
  };
  return (
    <Form layout="vertical" requiredMark={false} initialValues={{ address }} onFinish={submit}>
      <Field
        name="address"
        label={t('address')}
        schema={fields.emailOrPhone()}
        hint={t('addressHint')}
        validateTrigger="onBlur"
      >
        <Input autoFocus autoComplete="email" />
      </Field>
      <Button block type="primary" size="large" htmlType="submit" loading={sending}>
        {t('sendCode')}
      </Button>
    </Form>
  );
};

type CodeStepProps = {
  address: string;
  code: string;
  codeError: string;
  countdown: Countdown;
  onCode: (code: string) => void;
  onBack: () => void;
  onNext: () => void;
};

export const CodeStep = ({ address, code, codeError, countdown, onCode, onBack, onNext }: CodeStepProps) => {
  const { t } = useTranslation('account');
  const { sendTo, sending } = useSendCode(countdown);
  const complete = fields.code().safeParse(code).success;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) onNext();
      }}
    >
      <p className="dc-lead">{t('codeSent', { address })}</p>
      <div className="dc-code-row">
        <CodeInput value={code} onChange={onCode} invalid={codeError !== ''} />
        <span role="alert" className="dc-field-error">
          {codeError}
        </span>
        <ResendButton seconds={countdown[0]} busy={sending} onSend={() => sendTo(address)} />
      </div>
      <div className="dc-button-row">
        <Button size="large" onClick={onBack}>
          {t('previous')}
        </Button>
        <Button block type="primary" size="large" htmlType="submit" disabled={!complete}>
          {t('next')}
        </Button>
      </div>
    </form>
  );
};

type PasswordStepProps = {
  address: string;
  code: string;
  onBack: () => void;
  onDone: () => void;
  onCodeWrong: (message: string) => void;
};

export const PasswordStep = ({ address, code, onBack, onDone, onCodeWrong }: PasswordStepProps) => {
  const { t } = useTranslation('account');
  const [form] = Form.useForm<{ newPassword: string; confirmed: string }>();
  const retrieve = useCallMutation(accountCalls.retrievePassword, { onSuccess: onDone });
  const submit = ({ newPassword }: { newPassword: string }) =>
    retrieve.mutate(
      { ...(isEmail(address) ? { email: address } : { phone: address }), code, password: newPassword },
      {
        onError: (error) => {
          if (error.code === 'CODE_WRONG') return onCodeWrong(error.message);
          form.setFields([{ name: 'newPassword', errors: [error.details[0]?.message ?? error.message] }]);
        },
      },
    );
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={submit}>
      <NewPasswordFields account="" autoFocus />
      <div className="dc-button-row">
        <Button size="large" onClick={onBack}>
          {t('previous')}
        </Button>
        <Button block type="primary" size="large" htmlType="submit" loading={retrieve.isPending}>
          {t('resetPassword')}
        </Button>
      </div>
    </Form>
  );
};

export const DoneStep = () => {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const [seconds, start] = useCountdown();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, on mount.
  useEffect(() => {
    start(REDIRECT_SECONDS);
    const timer = setTimeout(() => void navigate({ to: loginPath }), REDIRECT_SECONDS * 1000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="dc-done" role="status">
      <Progress
        type="circle"
        size={72}
        percent={(seconds / REDIRECT_SECONDS) * 100}
        format={() => seconds}
        aria-hidden
      />
      <strong>{t('doneTitle')}</strong>
      <p className="dc-muted">{t('doneText', { seconds })}</p>
      <Button type="primary" onClick={() => void navigate({ to: loginPath })}>
        {t('loginNow')}
      </Button>
    </div>
  );
};
