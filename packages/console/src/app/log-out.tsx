import { personalCalls } from '@device-center/contract';
import { App } from 'antd';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../api/send.ts';
import { endSession } from '../api/session.ts';
import { RELOAD_DELAY_MS } from '../i18n/language.ts';
import { loginPath } from '../paths.ts';
import { useNavigate } from '../ui/routing.ts';

const LogOutContext = createContext<() => void>(() => undefined);
export const useLogOut = (): (() => void) => useContext(LogOutContext);

export const LogOutProvider = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation(['shell', 'common']);
  const { modal } = App.useApp();
  const navigate = useNavigate();
  const leave = async () => {
    // Log out locally even if the call fails: on the hub the session then ends when it has been idle for too long.
    await send(personalCalls.loginOut, {}).catch(() => undefined);
    endSession();
    await navigate({ to: loginPath, search: {}, ignoreBlocker: true });
    // Spec §9: logout reloads after 200 ms, so that no data of the previous account stays in memory.
    setTimeout(() => location.reload(), RELOAD_DELAY_MS);
  };
  const ask = () =>
    void modal.confirm({
      title: t('shell:logOutTitle'),
      content: t('shell:logOutText'),
      okText: t('shell:logOut'),
      cancelText: t('common:cancel'),
      onOk: leave,
    });
  return <LogOutContext value={ask}>{children}</LogOutContext>;
};
