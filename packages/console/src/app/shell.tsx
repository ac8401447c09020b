import { Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { AntdRoot } from '../ui/antd-root.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { OfflineBanner } from '../ui/offline-banner.tsx';
import { AntdFeedback } from './antd-feedback.tsx';
import { LogOutProvider, useLogOut } from './log-out.tsx';
import { NewBuildNote } from './new-build-note.tsx';
import { ReloadContext } from './reload-view.ts';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';
import { TopBar } from './top-bar.tsx';
import { usePaletteKey } from './use-palette-key.ts';
import { useShortcuts } from './use-shortcuts.ts';

// Not prefetched: every page would have to load them, and the palette needs the hub anyway.
const Palette = lazyPart(() => import('./palette.tsx'), { prefetch: false });
const ShortcutHelp = lazyPart(() => import('./shortcut-help.tsx'), { prefetch: false });
// Needed once per account, so other pages must not load the code of forms for it.
const FirstPasswordPage = lazyPart(
  async () => ({ default: (await import('../features/account/first-password-page.tsx')).FirstPasswordPage }),
  { prefetch: false },
);

const Frame = ({ children }: { children?: ReactNode }) => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const logOut = useLogOut();
  const sidebar = useSidebar();
  const active = session !== null && !session.isFirst;
  const palette = usePaletteKey(active);
  const shortcuts = useShortcuts(active);
  const [view, setView] = useState(1);
  const reload = useMemo(() => () => setView((current) => current + 1), []);
  return (
    <ReloadContext value={reload}>
      <a className="dc-skip" href="#content">
        {t('skipToContent')}
      </a>
      <div className="dc-shell">
        <TopBar
          sidebarOpen={sidebar.open}
          onToggleSidebar={sidebar.toggle}
          onPalette={palette.show}
          onKeys={shortcuts.showHelp}
        />
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
      {shortcuts.helpOpen && (
        <Suspense fallback={null}>
          <ShortcutHelp onClose={shortcuts.hideHelp} />
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
