import { App } from 'antd';
import i18next from 'i18next';
import { useEffect } from 'react';
import { registerPresenter, restartAtLogin, TOAST_SECONDS } from '../api/feedback.ts';

let expiredShown = false;

/** Shows toasts and the token dialog inside antd's App, which provides theme and language. */
export const AntdFeedback = () => {
  const { message, modal } = App.useApp();
  useEffect(
    () =>
      registerPresenter({
        // The text is the key, so that ten failing calls of one page show one toast.
        failed: (text) => void message.error({ key: text, content: text, duration: TOAST_SECONDS }),
        succeeded: (text) => void message.success({ key: text, content: text, duration: TOAST_SECONDS }),
        tokenExpired: () => {
          if (expiredShown) return;
          expiredShown = true;
          modal.warning({
            title: i18next.t('common:tokenExpiredTitle'),
            content: i18next.t('common:tokenExpiredText'),
            okText: i18next.t('common:exit'),
            keyboard: false,
            mask: { closable: false },
            onOk: () => {
              expiredShown = false;
              restartAtLogin();
            },
          });
        },
      }),
    [message, modal],
  );
  return null;
};
