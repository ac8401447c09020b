/** Menu ids that grant something; the spec's own, and the extensions of the decisions page. */
export const Menu = {
  messageChart: 1,
  roleList: 201,
  userList: 202,
  auditLog: 203,
  outbox: 204,
  apiKeyList: 205,
  tenantList: 301,
  applyList: 302,
  categoryList: 401,
  deviceList: 501,
  productList: 502,
  blackDeviceList: 503,
  softwareVersion: 601,
  updateMission: 602,
  availableList: 603,
  dataShow: 604,
  mockList: 1101,
} as const;

/** Menus for the platform tenant alone: no other tenant's role can carry them. */
export const platformMenus: readonly number[] = [Menu.tenantList, Menu.outbox, Menu.availableList, Menu.dataShow];

/** A permission is held by whoever has any one of its menus. */
export const permissions = {
  'role:list': [Menu.roleList, Menu.userList, Menu.apiKeyList],
  'role:read': [Menu.roleList, Menu.userList],
  'role:write': [Menu.roleList],
  'user:read': [Menu.userList],
  'user:write': [Menu.userList],
  'tenancy:list': [Menu.tenantList, Menu.roleList, Menu.userList, Menu.applyList, Menu.apiKeyList],
  'tenancy:read': [Menu.tenantList],
  'tenancy:write': [Menu.tenantList],
  'application:list': [Menu.applyList, Menu.deviceList, Menu.updateMission, Menu.mockList, Menu.apiKeyList],
  'application:read': [Menu.applyList],
  'application:write': [Menu.applyList],
  'category:list': [Menu.categoryList, Menu.productList, Menu.deviceList],
  'category:write': [Menu.categoryList],
  'product:list': [
    Menu.productList,
    Menu.deviceList,
    Menu.blackDeviceList,
    Menu.softwareVersion,
    Menu.updateMission,
    Menu.dataShow,
    Menu.mockList,
  ],
  'product:read': [Menu.productList],
  'product:write': [Menu.productList],
  'device:list': [Menu.deviceList, Menu.blackDeviceList, Menu.updateMission, Menu.dataShow, Menu.mockList],
  'device:read': [Menu.deviceList],
  'device:write': [Menu.deviceList],
  'device:blacklist': [Menu.deviceList, Menu.blackDeviceList],
  'device:watch': [
    Menu.deviceList,
    Menu.blackDeviceList,
    Menu.updateMission,
    Menu.dataShow,
    Menu.mockList,
    Menu.messageChart,
  ],
  'home:read': [Menu.messageChart],
  'mock:use': [Menu.mockList],
  'firmware:list': [Menu.softwareVersion, Menu.updateMission],
  'firmware:write': [Menu.softwareVersion],
  'ota:read': [Menu.updateMission],
  'ota:write': [Menu.updateMission],
  'ota:records': [Menu.updateMission, Menu.deviceList],
  'zone:list': [Menu.availableList, Menu.deviceList, Menu.mockList],
  'zone:read': [Menu.availableList],
  'zone:write': [Menu.availableList],
  'sync:read': [Menu.dataShow],
  'sync:write': [Menu.dataShow],
  'apiKey:read': [Menu.apiKeyList],
  'apiKey:write': [Menu.apiKeyList],
  'audit:read': [Menu.auditLog],
  'outbox:read': [Menu.outbox],
} as const satisfies Record<string, readonly number[]>;

export type Permission = keyof typeof permissions;

export const mayUse = (permission: Permission, menus: ReadonlySet<number>): boolean =>
  permissions[permission].some((menuId) => menus.has(menuId));
