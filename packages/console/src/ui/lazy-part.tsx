import { type ComponentType, createElement, lazy } from 'react';
import { loadFromHub } from '../hub-watch.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import type { FeatureTab } from './page-entry.ts';

const IDLE_WITHIN_MS = 5_000;
const WITHOUT_IDLE_MS = 2_000;

const whenIdle = (run: () => void): void => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
  else setTimeout(run, WITHOUT_IDLE_MS);
};

type LatestProps<Props extends object> = { part: () => ComponentType<Props>; props: Props };

const CurrentPart = <Props extends object>({ part, props }: LatestProps<Props>) => createElement(part(), props);

type LazyPartOptions = {
  /** Set to false for large parts that are rarely opened. */
  prefetch?: boolean;
};

/**
 * A tab, dialog or other part with its own code chunk. It is prefetched in idle time after its page has loaded, so that
 * it opens even without the hub, and has its own error boundary, so that a failure does not affect the page.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { prefetch = true }: LazyPartOptions = {},
): ComponentType<Props> => {
  const loading = loadFromHub(load);
  // A lazy component caches its failure, so each retry creates a new one.
  let Part = lazy(loading);
  if (prefetch && import.meta.env.PROD) whenIdle(() => void loading().catch(() => undefined));
  const retry = () => {
    Part = lazy(loading);
  };
  return (props) => (
    <ErrorBoundary onRetry={retry}>
      <CurrentPart part={() => Part as unknown as ComponentType<Props>} props={props} />
    </ErrorBoundary>
  );
};

const tabParts = new WeakMap<FeatureTab, ComponentType<{ id: string }>>();

/** The content of a tab that another feature provides. Its code is prefetched only after a page shows the tab. */
export const tabPart = (tab: FeatureTab): ComponentType<{ id: string }> => {
  const known = tabParts.get(tab);
  if (known) return known;
  const part = lazyPart(tab.load);
  tabParts.set(tab, part);
  return part;
};
