import type { Language, MenuNode, MenuRow } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import type { MenuLink } from '../../platform/settings.ts';

type Entry = {
  key: string;
  parentKey: string | null;
  menuId: number;
  parentId: number;
  name: Record<Language, string>;
  path: string;
  icon: string;
  order: number;
  external: 0 | 1;
  platformOnly: boolean;
  leaf: boolean;
};

/** Links of MENU_LINKS have ids from here on; all users see them. */
const FIRST_LINK_ID = 9001;

const linkEntry = (link: MenuLink, index: number): Entry => ({
  key: `link${index}`,
  parentKey: null,
  menuId: FIRST_LINK_ID + index,
  parentId: 0,
  name: typeof link.name === 'string' ? { zh_CN: link.name, en_US: link.name } : link.name,
  path: link.url,
  icon: link.icon ?? 'external-link',
  order: 10_000 + index,
  external: 1,
  platformOnly: false,
  leaf: true,
});

/** The menus, read once: only migrations and settings change them, and both need a restart. */
export const createMenuCatalog = async (db: Db, links: MenuLink[]) => {
  const rows = await db.selectFrom('menu').selectAll().orderBy('sort_order').execute();
  const parents = new Set(rows.map((row) => row.parent_key));
  const idOf = new Map(rows.map((row) => [row.menu_key, row.menu_id]));
  const linkEntries = links.map(linkEntry);
  const entries: Entry[] = [
    ...rows.map((row) => ({
      key: row.menu_key,
      parentKey: row.parent_key,
      menuId: row.menu_id,
      parentId: idOf.get(row.parent_key ?? '') ?? 0,
      name: { zh_CN: row.name_zh, en_US: row.name_en },
      path: row.path,
      icon: row.icon,
      order: row.sort_order,
      external: 0 as const,
      platformOnly: row.platform_only === 1,
      leaf: !parents.has(row.menu_key),
    })),
    ...linkEntries,
  ];
  const leaves = entries.filter((entry) => entry.leaf && entry.external === 0);
  const linkIds = linkEntries.map((entry) => entry.menuId);

  const toRow = (entry: Entry, language: Language): MenuRow => ({
    menuId: entry.menuId,
    parentId: entry.parentId,
    name: entry.name[language],
    path: entry.path,
    icon: entry.icon,
    order: entry.order,
    external: entry.external,
  });

  const availableTo = (platform: boolean): Entry[] => entries.filter((entry) => platform || !entry.platformOnly);

  return {
    allLeaves: (): number[] => leaves.map((entry) => entry.menuId),
    isLeaf: (menuId: number): boolean => leaves.some((entry) => entry.menuId === menuId),
    isParent: (menuId: number): boolean => entries.some((entry) => !entry.leaf && entry.menuId === menuId),
    isPlatformOnly: (menuId: number): boolean => leaves.some((entry) => entry.menuId === menuId && entry.platformOnly),

    /** The menus of a user in the console: granted leaves, their parents, and the external links. */
    withParents: (granted: ReadonlySet<number>): number[] => {
      const grantedLeaves = leaves.filter((entry) => granted.has(entry.menuId));
      const ids = new Set([
        ...grantedLeaves.map((entry) => entry.parentId),
        ...grantedLeaves.map((entry) => entry.menuId),
        ...linkIds,
      ]);
      ids.delete(0);
      return [...ids].sort((a, b) => a - b);
    },

    list: (platform: boolean, language: Language): MenuRow[] =>
      availableTo(platform).map((entry) => toRow(entry, language)),

    /** The menus that a caller can grant to a role: their own, without platform menus for other tenants. */
    grantableTree: (platform: boolean, granted: ReadonlySet<number>, language: Language): MenuNode[] => {
      const shown = availableTo(platform).filter((entry) => entry.external === 0);
      const childrenOf = (parentKey: string | null): MenuNode[] =>
        shown
          .filter((entry) => entry.parentKey === parentKey)
          .filter((entry) => !entry.leaf || granted.has(entry.menuId))
          .map((entry) => ({ ...toRow(entry, language), children: childrenOf(entry.key) }))
          .filter((node) => node.children.length > 0 || granted.has(node.menuId));
      return childrenOf(null);
    },
  };
};

export type MenuCatalog = Awaited<ReturnType<typeof createMenuCatalog>>;
