import type { ComponentType } from 'react';
import type { z } from 'zod';
import type { Path } from './routing.ts';

/**
 * A tab that a feature adds to the detail page of another feature. Features do not import each other, so app/pages.ts
 * passes it on.
 */
export type FeatureTab = {
  key: string;
  /** The tab is shown to users with at least one of these menus. */
  menus: readonly number[];
  title: () => string;
  load: () => Promise<{ default: ComponentType<{ id: string }> }>;
};

export type PageProps = { tabs: readonly FeatureTab[] };

/** A page of the console. Each feature lists its pages in `pages.ts`; routes, palette and permissions use the list. */
export type PageEntry = {
  /** Path of the route, with `$name` parameters. */
  path: Path;
  /** The page opens for users with at least one of these menus; if empty, for every logged-in user. */
  menus: readonly number[];
  title: () => string;
  /** Search parameters. Each needs a default or `.catch`, so that every URL is valid. */
  search?: z.ZodType<Record<string, unknown>>;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
  /** Tabs added by other features. */
  tabs?: readonly FeatureTab[];
  /** Entry in the palette: the page itself, or an action such as "New tenant" with the path to open. */
  palette?: 'page' | { action: () => string; to: Path };
};
