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
  /** Dialog with the new password if it was not mailed. */
  dialog: ReactNode;
};

/** Confirms, then resets the password to a one-time password that the hub mails. */
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
      // An error closes the dialog; a toast shows the reason.
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
