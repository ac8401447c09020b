import { App, ConfigProvider } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { loadAntdLocale } from './antd-locale.ts';
import { useReducedMotion, useScheme, useWideScreen } from './media.ts';
import { NoOptions } from './no-options.tsx';
import { readNonce } from './nonce.ts';
import { themeOf } from './theme.ts';

// This module is loaded with the first page that uses antd. The login page does not use it, so that it loads faster.
const locale = await loadAntdLocale();
const nonce = readNonce();

/** Provides theme, language and nonce to antd components. */
export const AntdRoot = ({ children }: { children: ReactNode }) => {
  const scheme = useScheme();
  const wide = useWideScreen();
  const still = useReducedMotion();
  const theme = useMemo(
    // A build contains the precompiled styles (antd-styles.ts); tests need no styles.
    () => ({ ...themeOf(scheme, { wide, still }), zeroRuntime: import.meta.env.MODE !== 'development' }),
    [scheme, wide, still],
  );
  return (
    <ConfigProvider
      locale={locale}
      theme={theme}
      // Otherwise antd renders two-character Chinese buttons as "取 消".
      button={{ autoInsertSpace: false }}
      renderEmpty={(of) => of === 'Select' && <NoOptions />}
      {...(nonce === undefined ? {} : { csp: { nonce } })}
    >
      <App>{children}</App>
    </ConfigProvider>
  );
};
