import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, flag, id, menuIds, roleName, search, time } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const role = '/iot-hub/admin/system/role';
const menu = '/iot-hub/admin/menu/manage';
/** Former path of the menu calls, which still works. */
const formerMenu = `${role}/menu/manage`;

const menuRow = z.object({
  menuId: z.int(),
  parentId: z.int(),
  name: z.string(),
  path: z.string(),
  icon: z.string(),
  order: z.int(),
  external: flag(),
});
export type MenuRow = z.output<typeof menuRow>;
export type MenuNode = MenuRow & { children: MenuNode[] };

const menuNode: z.ZodType<MenuNode> = z.lazy(() => menuRow.extend({ children: z.array(menuNode) }));

const roleRow = z.object({
  roleId: z.string(),
  roleName: z.string(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  /** The granted leaves, without their parents. */
  menus: z.array(z.int()),
  userCount: z.int(),
  /** The platform administrator role cannot be changed. */
  builtin: flag(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type RoleRow = z.output<typeof roleRow>;

export const roleCalls = defineCalls({
  queryRoleList: {
    method: 'GET',
    path: `${role}/queryRoleList`,
    kind: 'query',
    access: 'role:list',
    summary: { zh_CN: '角色列表，按名称和创建时间查询', en_US: 'List roles, by name and creation time' },
    input: z.object({
      ...paging,
      ...sorting,
      roleName: search(),
      startTime: blankable(time()),
      endTime: blankable(time()),
      tenancyId: blankable(id()),
    }),
    output: pageOf(roleRow),
  },
  getRoleDetails: {
    method: 'GET',
    path: `${role}/getRoleDetails`,
    kind: 'query',
    access: 'role:read',
    summary: { zh_CN: '角色详情', en_US: 'Get a role' },
    input: z.object({ roleId: id() }),
    output: roleRow,
  },
  getRoleMenu: {
    method: 'GET',
    path: `${role}/getRoleMenu`,
    kind: 'query',
    access: 'signed-in',
    duringFirstLogin: true,
    summary: {
      zh_CN: '角色的菜单 ID，含叶子及其父级；查看他人角色需要 201 或 202',
      en_US:
        'Get the menu IDs of a role, leaves and their parents; for a role other than your own, menu 201 or 202 is required',
    },
    input: z.object({ roleId: id() }),
    output: z.object({ roleId: z.string(), menus: z.array(z.int()) }),
  },
  addRole: {
    method: 'PUT',
    path: `${role}/addRole`,
    kind: 'mutation',
    access: 'role:write',
    summary: {
      zh_CN: '新建角色；tenancyId 供平台用户使用',
      en_US: 'Create a role; tenancyId is for platform users',
    },
    input: z.object({ roleName: roleName(), menus: menuIds(), tenancyId: blankable(id()) }),
    output: z.object({ roleId: z.string() }),
  },
  updateRole: {
    method: 'POST',
    path: `${role}/updateRole`,
    kind: 'mutation',
    access: 'role:write',
    summary: { zh_CN: '修改角色名称和菜单', en_US: 'Update the name and menus of a role' },
    input: z.object({ roleId: id(), roleName: roleName(), menus: menuIds() }),
    output: z.null(),
  },
  deleteRole: {
    method: 'DELETE',
    path: `${role}/deleteRole`,
    kind: 'mutation',
    access: 'role:write',
    summary: { zh_CN: '删除没有用户使用的角色', en_US: 'Delete a role that is assigned to no user' },
    input: z.object({ roleId: id() }),
    output: z.null(),
    success: 'deleted',
  },
  queryMenuList: {
    method: 'GET',
    path: `${menu}/queryMenuList`,
    alias: `${formerMenu}/queryMenuList`,
    kind: 'query',
    access: 'signed-in',
    summary: {
      zh_CN: '调用者所在租户可用的全部菜单，平铺',
      en_US: "List all menus available to the caller's tenant",
    },
    input: z.object({}),
    output: z.array(menuRow),
  },
  queryMenuListTree: {
    method: 'GET',
    path: `${menu}/queryMenuListTree`,
    alias: `${formerMenu}/queryMenuListTree`,
    kind: 'query',
    access: 'role:read',
    summary: {
      zh_CN: '调用者可授予（tenancyId 的）角色的菜单，树形',
      en_US: 'Get the menus that the caller can grant to a role (of tenancyId), as a tree',
    },
    input: z.object({ tenancyId: blankable(id()) }),
    output: z.array(menuNode),
  },
});
