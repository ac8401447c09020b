import type { ComponentType } from 'react';
import type { z } from 'zod';

/**
 * A tab that a slice brings to another's page about one thing, such as a device: a slice imports no other, so
 * app/pages.ts hands it over.
 */
export type BroughtTab = {
  key: string;
  /** Any one of these menus shows it. */
  menus: readonly number[];
  title: () => string;
  load: () => Promise<{ default: ComponentType<{ id: string }> }>;
};

export type PageProps = { tabs: readonly BroughtTab[] };

/** One page of the console. A slice lists its own in `pages.ts`; routes, palette and permissions follow from it. */
export type PageEntry = {
  /** As in the router, with `$name` parameters. */
  path: string;
  /** Any one of these menus opens the page; none: every signed-in user. */
  menus: readonly number[];
  title: () => string;
  /** Search parameters; every one needs a default or `.catch`, so that no address is refused. */
  search?: z.ZodType<Record<string, unknown>>;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
  /** Brought by other slices. */
  tabs?: readonly BroughtTab[];
  /** In the palette: a page to jump to, or an action such as "new tenant" with the address to open. */
  palette?: 'page' | { action: () => string; to: string };
};
