import type { MenuRow } from '@device-center/contract';
import { mayOpen, type Session } from '../api/session.ts';
import type { PageEntry } from '../ui/page-entry.ts';

export type NavGroup = { key: string; name: string; items: MenuRow[] };

const EXTERNAL = /^(https?:|mailto:|tel:)/i;
export const isExternal = (path: string): boolean => EXTERNAL.test(path);

const byOrder = (a: MenuRow, b: MenuRow): number => a.order - b.order || a.menuId - b.menuId;

/** Three top-level menus share the number 6, so where a number is shared the path tells whose leaf it is. */
const isLeafOf = (leaf: MenuRow, parent: MenuRow, parents: MenuRow[]): boolean => {
  if (leaf.parentId !== parent.menuId) return false;
  const shared = parents.filter(({ menuId }) => menuId === parent.menuId).length > 1;
  return !shared || leaf.path.startsWith(`${parent.path}/`);
};

/**
 * The sidebar: a parent shows when its id is granted and one of its own leaves is; a leaf when its id is.
 * A top-level entry without leaves (the home chart, an external link) stands by itself.
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
    // One leaf needs no caption over it.
    const name = own.length > 1 ? parent.name : '';
    groups.push({ key: `${parent.menuId}${parent.path}`, name, items });
  }
  return groups;
};

/** Pages to jump to: those of the palette, and of the first page after log-in. */
export const openPages = (pages: readonly PageEntry[], session: Session | null): PageEntry[] =>
  pages.filter((page) => page.palette === 'page' && mayOpen(page.menus, session));

export const firstPage = (pages: readonly PageEntry[], session: Session | null, under = ''): string | undefined =>
  openPages(pages, session).find((page) => page.path.startsWith(under))?.path;
