import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  stripSearchParams,
} from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { currentSession, mayOpen, useSession } from '../api/session.ts';
import { loginSearch } from '../features/account/login-search.ts';
import { loadFromHub } from '../hub-watch.ts';
import { loadAllTexts } from '../i18n/start.ts';
import { landingPath, loginPath, notFoundPath, recoverPath } from '../paths.ts';
import { CrashView } from '../ui/error-boundary.tsx';
import type { PageEntry, PageProps } from '../ui/page-entry.ts';
import { Navigate, redirect } from '../ui/routing.ts';
import { firstPage } from './navigation.ts';
import { notFoundSearch } from './not-found-search.ts';
import { pages as registeredPages } from './pages.ts';
import { ProgressBar } from './progress-bar.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

const NotFoundRedirect = () => <Navigate to={notFoundPath} search={{ path: location.pathname }} replace />;

const NoPages = lazyRouteComponent(
  loadFromHub(() => import('./no-pages-page.tsx')),
  'NoPagesPage',
);

const createRoot = () =>
  createRootRoute({
    component: () => (
      <>
        <ProgressBar />
        <Outlet />
      </>
    ),
    notFoundComponent: NotFoundRedirect,
    errorComponent: ({ error, reset }) => <CrashView error={error} onRetry={reset} />,
  });

// Loaded lazily: the page uses antd, which the login page does not need.
const ForbiddenPage = lazy(
  loadFromHub(async () => ({ default: (await import('./forbidden-page.tsx')).ForbiddenPage })),
);

type PageComponent = (props: PageProps) => ReactNode;

const noTabs: PageProps['tabs'] = [];

/** Shows 403 inside the page frame if the role lacks the page's menus. */
const GuardedPage = ({ page, Page }: { page: PageEntry; Page: PageComponent }) => {
  const session = useSession();
  if (mayOpen(page.menus, session)) return <Page tabs={page.tabs ?? noTabs} />;
  return (
    <Suspense fallback={null}>
      <ForbiddenPage page={page} />
    </Suspense>
  );
};

/** Loads the code of the page with its route, so that the progress bar covers it. */
const guarded = (page: PageEntry) => {
  const Page = lazyRouteComponent(loadFromHub(page.load as () => Promise<{ default: PageComponent }>));
  return Object.assign(() => <GuardedPage page={page} Page={Page as unknown as PageComponent} />, {
    preload: Page.preload,
  });
};

const pageRoute = (shell: AnyRoute, page: PageEntry): AnyRoute => {
  const { search } = page;
  return createRoute({
    getParentRoute: () => shell,
    path: page.path,
    component: guarded(page),
    ...(search === undefined
      ? {}
      : {
          validateSearch: (typed: Record<string, unknown>) => search.parse(typed),
          search: { middlewares: [stripSearchParams(search.parse({}))] },
        }),
  }) as unknown as AnyRoute;
};

/** A folder such as '/systemConfig' redirects to the first of its pages that the role may open. */
const folderRoutes = (shell: AnyRoute, pages: readonly PageEntry[]): AnyRoute[] => {
  const folders = new Set(
    pages.filter(({ palette }) => palette === 'page').map(({ path }) => `/${path.split('/')[1]}`),
  );
  const paths = new Set<string>(pages.map(({ path }) => path));
  return [...folders]
    .filter((folder) => !paths.has(folder))
    .map(
      (folder) =>
        createRoute({
          getParentRoute: () => shell,
          path: folder,
          beforeLoad: () => {
            throw redirect({ to: firstPage(pages, currentSession(), `${folder}/`) ?? landingPath, replace: true });
          },
        }) as unknown as AnyRoute,
    );
};

export const createConsoleRouter = (pages: readonly PageEntry[] = registeredPages, history?: RouterHistory) => {
  // The texts are loaded once; later navigations do not wait.
  const loadTexts = loadFromHub(loadAllTexts);
  const root = createRoot();
  const login = createRoute({
    getParentRoute: () => root,
    path: loginPath,
    validateSearch: loginSearch,
    beforeLoad: () => {
      if (currentSession()) throw redirect({ to: landingPath, replace: true });
    },
    component: lazyRouteComponent(loadFromHub(() => import('../features/account/login-page.tsx'))),
  });
  const recover = createRoute({
    getParentRoute: () => root,
    path: recoverPath,
    component: lazyRouteComponent(loadFromHub(() => import('../features/account/recover-page.tsx'))),
  });
  const notFound = createRoute({
    getParentRoute: () => root,
    path: notFoundPath,
    validateSearch: notFoundSearch,
    // The page lists other pages by title, so it needs all texts.
    beforeLoad: loadTexts,
    component: lazyRouteComponent(
      loadFromHub(() => import('./not-found-page.tsx')),
      'NotFoundPage',
    ),
  });
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'shell',
    beforeLoad: async ({ location: { href, pathname } }) => {
      if (currentSession()) return loadTexts();
      throw redirect({ to: loginPath, search: pathname === landingPath ? {} : { redirect: href }, replace: true });
    },
    component: lazyRouteComponent(
      loadFromHub(() => import('./shell.tsx')),
      'Shell',
    ),
    errorComponent: ({ error, reset }) => <CrashView error={error} onRetry={reset} />,
  });
  const home = createRoute({
    getParentRoute: () => shell,
    path: landingPath,
    beforeLoad: () => {
      const first = firstPage(pages, currentSession());
      if (first !== undefined) throw redirect({ to: first, replace: true });
    },
    component: NoPages,
  });
  const layout = shell as unknown as AnyRoute;
  const shellRoutes = [home, ...folderRoutes(layout, pages), ...pages.map((page) => pageRoute(layout, page))];
  const tree = root.addChildren([login, recover, notFound, layout.addChildren(shellRoutes) as AnyRoute]);
  return createRouter({
    routeTree: tree,
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ({ error, reset }) => <CrashView error={error} onRetry={reset} />,
    defaultPreload: 'intent',
    scrollRestoration: false,
    ...(history === undefined ? {} : { history }),
  });
};
