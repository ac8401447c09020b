import { App } from 'antd';
import { useTranslation } from 'react-i18next';

type TakeOver = { name: string; text: string; send: () => Promise<unknown> };

/** Confirms that this platform takes over the management of a received entity. */
export const useTakeOver = () => {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  return ({ name, text, send }: TakeOver): void =>
    void modal.confirm({
      title: t('takeOverTitle', { name }),
      content: text,
      okText: t('takeOver'),
      cancelText: t('cancel'),
      okButtonProps: { danger: true },
      // A failure is announced like that of every call.
      onOk: () => send().catch(() => undefined),
    });
};
