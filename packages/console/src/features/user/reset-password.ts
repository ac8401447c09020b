import { type UserRow, userCalls } from '@device-center/contract';
import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useCommand } from '../../api/use-call.ts';
import { maskEmail } from './mask.ts';

/** Asks, then has the hub mail a new one-time password. */
export const useResetPassword = (): ((user: UserRow) => void) => {
  const { t } = useTranslation(['user', 'common']);
  const { modal } = App.useApp();
  const reset = useCommand(userCalls.resetPassword);
  return ({ userId, name, email }) => {
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
          .then(() => announceSuccess(t('user:resetDone', { address })))
          .catch(() => undefined),
    });
  };
};
