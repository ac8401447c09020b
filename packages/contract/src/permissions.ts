/** Menu ids that grant something; the spec's own, and the extensions of the decisions page. */
export const Menu = {
  roleList: 201,
  userList: 202,
  auditLog: 203,
  outbox: 204,
  tenantList: 301,
  applyList: 302,
  deviceList: 501,
  updateMission: 602,
  mockList: 1101,
} as const;

/** Menus for the platform tenant alone: no other tenant's role can carry them. */
export const platformMenus: readonly number[] = [Menu.tenantList, Menu.outbox, 603, 604];

/** A permission is held by whoever has any one of its menus. */
export const permissions = {
  'role:read': [Menu.roleList, Menu.userList],
  'role:write': [Menu.roleList],
  'user:read': [Menu.userList],
  'user:write': [Menu.userList],
  'tenancy:list': [Menu.tenantList, Menu.roleList, Menu.userList, Menu.applyList],
  'tenancy:read': [Menu.tenantList],
  'tenancy:write': [Menu.tenantList],
  'application:list': [Menu.applyList, Menu.deviceList, Menu.updateMission, Menu.mockList],
  'application:read': [Menu.applyList],
  'application:write': [Menu.applyList],
  'audit:read': [Menu.auditLog],
  'outbox:read': [Menu.outbox],
} as const satisfies Record<string, readonly number[]>;

export type Permission = keyof typeof permissions;

export const mayUse = (permission: Permission, menus: ReadonlySet<number>): boolean =>
  permissions[permission].some((menuId) => menus.has(menuId));
