import { Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { AntdRoot } from '../ui/antd-root.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { OfflineBanner } from '../ui/offline-banner.tsx';
import { AntdFeedback } from './antd-feedback.tsx';
import { LogOutProvider, useLogOut } from './log-out.tsx';
import { NewBuildNote } from './new-build-note.tsx';
import { ReloadContext } from './reload-view.ts';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';
import { TopBar } from './top-bar.tsx';
import { usePaletteKey } from './use-palette-key.ts';

const Palette = lazy(() => import('./palette.tsx'));
// Once in the life of an account: no other page should wait for the code of forms.
const FirstPasswordPage = lazy(async () => ({
  default: (await import('../features/account/first-password-page.tsx')).FirstPasswordPage,
}));

const Frame = ({ children }: { children?: ReactNode }) => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const logOut = useLogOut();
  const sidebar = useSidebar();
  const palette = usePaletteKey(session !== null && !session.isFirst);
  const [view, setView] = useState(1);
  const reload = useMemo(() => () => setView((current) => current + 1), []);
  return (
    <ReloadContext value={reload}>
      <a className="dc-skip" href="#content">
        {t('skipToContent')}
      </a>
      <div className="dc-shell">
        <TopBar sidebarOpen={sidebar.open} onToggleSidebar={sidebar.toggle} onPalette={palette.show} />
        <Sidebar open={sidebar.open} mobile={sidebar.mobile} onClose={sidebar.close} />
        <main className="dc-sheet" id="content" tabIndex={-1}>
          <div className="dc-sheet-inner">
            <OfflineBanner />
            <NewBuildNote />
            {session?.isFirst ? (
              <Suspense fallback={null}>
                <FirstPasswordPage onLogOut={logOut} />
              </Suspense>
            ) : (
              <ErrorBoundary key={view}>{children ?? <Outlet />}</ErrorBoundary>
            )}
          </div>
        </main>
      </div>
      {palette.open && (
        <Suspense fallback={null}>
          <Palette onClose={palette.hide} />
        </Suspense>
      )}
    </ReloadContext>
  );
};

export const Shell = ({ children }: { children?: ReactNode }) => (
  <AntdRoot>
    <AntdFeedback />
    <LogOutProvider>
      <Frame>{children}</Frame>
    </LogOutProvider>
  </AntdRoot>
);
