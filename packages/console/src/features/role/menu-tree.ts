import type { MenuNode } from '@device-center/contract';

export type Leaf = Pick<MenuNode, 'menuId' | 'name' | 'icon'>;
/** A top-level menu and all pages below it. Only pages are granted. */
export type MenuGroup = { key: string; name: string; icon: string; leaves: Leaf[] };

const leavesOf = (node: MenuNode): Leaf[] => (node.children.length === 0 ? [node] : node.children.flatMap(leavesOf));

/** Several top-level menus share an id, so the key of a group is id and path. */
export const groupsOf = (tree: readonly MenuNode[]): MenuGroup[] =>
  tree.map((node) => ({
    key: `${node.menuId}${node.path}`,
    name: node.name,
    icon: node.icon,
    leaves: leavesOf(node),
  }));

export const leafIds = (groups: readonly MenuGroup[]): number[] =>
  groups.flatMap(({ leaves }) => leaves.map(({ menuId }) => menuId));

/** Groups and pages whose name contains the search text; a matching group keeps all its pages. */
export const filterGroups = (groups: readonly MenuGroup[], searchText: string): MenuGroup[] => {
  const wanted = searchText.trim().toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(wanted);
  return groups
    .map((group) => (has(group.name) ? group : { ...group, leaves: group.leaves.filter(({ name }) => has(name)) }))
    .filter(({ leaves }) => leaves.length > 0);
};

export const selectedGroups = (groups: readonly MenuGroup[], chosen: ReadonlySet<number>): MenuGroup[] =>
  groups
    .map((group) => ({ ...group, leaves: group.leaves.filter(({ menuId }) => chosen.has(menuId)) }))
    .filter(({ leaves }) => leaves.length > 0);

/** Adds or removes menus. Sorted, so that equal selections compare equal. */
export const choose = (chosen: readonly number[], menuIds: readonly number[], on: boolean): number[] => {
  const next = new Set(chosen);
  for (const menuId of menuIds) {
    if (on) next.add(menuId);
    else next.delete(menuId);
  }
  return [...next].sort((a, b) => a - b);
};
