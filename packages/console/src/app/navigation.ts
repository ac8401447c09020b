import type { MenuRow } from '@device-center/contract';
import { mayOpen, type Session } from '../api/session.ts';
import type { PageEntry } from '../ui/page-entry.ts';
import type { Path } from '../ui/routing.ts';

export type NavGroup = { key: string; name: string; items: MenuRow[] };

const EXTERNAL = /^(https?:|mailto:|tel:)/i;
export const isExternal = (path: string): boolean => EXTERNAL.test(path);

const byOrder = (a: MenuRow, b: MenuRow): number => a.order - b.order || a.menuId - b.menuId;

/** Three top-level menus share the id 6. Where an id is shared, the path decides which parent a leaf belongs to. */
const isLeafOf = (leaf: MenuRow, parent: MenuRow, parents: MenuRow[]): boolean => {
  if (leaf.parentId !== parent.menuId) return false;
  const shared = parents.filter(({ menuId }) => menuId === parent.menuId).length > 1;
  return !shared || leaf.path.startsWith(`${parent.path}/`);
};

/**
 * Groups of the sidebar: a parent is shown if its id and the id of one of its leaves are granted; a leaf if its id is
 * granted. A top-level entry without leaves, such as the home chart or an external link, forms its own group.
 */
export const navigationOf = (menus: readonly MenuRow[], granted: ReadonlySet<number>): NavGroup[] => {
  const parents = menus.filter((menu) => menu.parentId === 0).sort(byOrder);
  const leaves = menus.filter((menu) => menu.parentId !== 0).sort(byOrder);
  const groups: NavGroup[] = [];
  for (const parent of parents) {
    const visible = (menu: MenuRow) => granted.has(menu.menuId) || isExternal(menu.path);
    if (!visible(parent)) continue;
    const own = leaves.filter((leaf) => isLeafOf(leaf, parent, parents));
    const items = (own.length === 0 ? [parent] : own).filter(visible);
    if (items.length === 0) continue;
    // A group with one leaf has no caption.
    const name = own.length > 1 ? parent.name : '';
    groups.push({ key: `${parent.menuId}${parent.path}`, name, items });
  }
  return groups;
};

/** Pages that the user may open from the palette; the first one is the home page after login. */
export const openPages = (pages: readonly PageEntry[], session: Session | null): PageEntry[] =>
  pages.filter((page) => page.palette === 'page' && mayOpen(page.menus, session));

export const firstPage = (pages: readonly PageEntry[], session: Session | null, under = ''): Path | undefined =>
  openPages(pages, session).find((page) => page.path.startsWith(under))?.path;
