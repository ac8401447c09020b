import { App, ConfigProvider } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { loadAntdLocale } from './antd-locale.ts';
import { useReducedMotion, useScheme, useWideScreen } from './media.ts';
import { readNonce } from './nonce.ts';
import { NothingToChoose } from './nothing-to-choose.tsx';
import { themeOf } from './theme.ts';

// This module comes with the first page that uses antd; the log-in page does without, and comes sooner.
const locale = await loadAntdLocale();
const nonce = readNonce();

/** Theme, language and nonce for everything made of antd. */
export const AntdRoot = ({ children }: { children: ReactNode }) => {
  const scheme = useScheme();
  const wide = useWideScreen();
  const still = useReducedMotion();
  const theme = useMemo(
    // A build contains the finished styles (antd-styles.ts); tests need none.
    () => ({ ...themeOf(scheme, { wide, still }), zeroRuntime: import.meta.env.MODE !== 'development' }),
    [scheme, wide, still],
  );
  return (
    <ConfigProvider
      locale={locale}
      theme={theme}
      // Else two-character Chinese buttons read "取 消".
      button={{ autoInsertSpace: false }}
      renderEmpty={(of) => of === 'Select' && <NothingToChoose />}
      {...(nonce === undefined ? {} : { csp: { nonce } })}
    >
      <App>{children}</App>
    </ConfigProvider>
  );
};
