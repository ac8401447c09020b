import { App } from 'antd';
import { useTranslation } from 'react-i18next';

type TakeOver = { name: string; text: string; send: () => Promise<unknown> };

/** Asks before something that was received becomes this hub's own. */
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
      // A refusal is announced like every failed call.
      onOk: () => send().catch(() => undefined),
    });
};
