import { type UserRow, userCalls } from '@device-center/contract';
import { App } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { maskEmail } from './mask.ts';
import { type OneTimePassword, OneTimePasswordDialog } from './one-time-password.tsx';

type ResetPassword = {
  ask: (user: UserRow) => void;
  /** The new password, where no mail takes it to its user. */
  dialog: ReactNode;
};

/** Asks, then has the hub make a new one-time password and mail it. */
export const useResetPassword = (): ResetPassword => {
  const { t } = useTranslation(['user', 'common']);
  const { modal } = App.useApp();
  const reset = useCallMutation(userCalls.resetPassword);
  const [shown, setShown] = useState<OneTimePassword>();
  const ask = ({ userId, username, name, email }: UserRow) => {
    const address = maskEmail(email);
    modal.confirm({
      title: t('user:resetTitle', { name }),
      content: t('user:resetText', { address }),
      okText: t('user:resetPassword'),
      cancelText: t('common:cancel'),
      // A refusal closes the dialog; the toast tells why.
      onOk: () =>
        reset
          .mutateAsync({ userId })
          .then((unmailed) => {
            if (unmailed) setShown({ username, ...unmailed });
            else announceSuccess(t('user:resetDone', { address }));
          })
          .catch(() => undefined),
    });
  };
  const dialog = shown && (
    <OneTimePasswordDialog title={t('user:resetShownTitle')} {...shown} onStored={() => setShown(undefined)} />
  );
  return { ask, dialog };
};
