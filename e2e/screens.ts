import {
  applicationCalls,
  categoryCalls,
  controlCalls,
  Menu,
  modelCalls,
  personalCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { type Hub, tenancyFields } from '../packages/server/test/hub.ts';
import { type DeviceScreenIds, deviceScreensOf, seedDevices } from './device-screens.ts';
import { type SyncScreenIds, seedSync, syncScreensOf } from './sync-screens.ts';
import { seedUpgrades, type UpgradeScreenIds, upgradeScreensOf } from './upgrade-screens.ts';
import { seedZones, type ZoneScreenIds, zoneScreensOf } from './zone-screens.ts';

/** Addresses of all screens that need a login. */
export const screensOf = (ids: SampleIds): Record<string, string> => ({
  home: '/message/messageChart',
  homeMonths: '/message/messageChart?scope=12&view=table',
  homeGuide: '/message/messageChart?guide=1',
  mockList: '/deviceMock/mockList',
  mockListNoMatch: '/deviceMock/mockList?searchValue=nothing-like-this',
  mockAdd: '/add/addMock',
  mockPanel: `/detail/detailMock/${ids.mockId}`,
  mockMissing: '/detail/detailMock/nobody',
  qrCode: `/detail/qrCode/${ids.deviceId}`,
  qrCodes: `/detail/qrCode/${ids.deviceId}?ids=${ids.deviceId},${ids.mockId}`,
  refusedList: '/productConfig/refusedList',
  tenantList: '/systemConfig/tenantList',
  tenantListNoMatch: '/systemConfig/tenantList?tenancyName=nothing-like-this',
  tenantAdd: '/add/addTenant/0/0',
  tenantEdit: `/add/addTenant/${ids.tenancyId}/1`,
  tenantView: `/add/addTenant/${ids.tenancyId}/2`,
  applyList: '/systemConfig/applyList',
  applyAdd: '/add/addApply/0/0',
  applyEdit: `/add/addApply/${ids.applicationId}/1`,
  applyView: `/add/addApply/${ids.applicationId}/2`,
  roleList: '/systemConfig/roleList',
  roleAdd: '/add/addRole/0/0',
  roleEdit: `/add/addRole/${ids.roleId}/1`,
  roleView: `/add/addRole/${ids.roleId}/2`,
  userList: '/systemConfig/userList',
  userAdd: '/add/addUser/0/0',
  userEdit: `/add/addUser/${ids.userId}/1`,
  userView: `/add/addUser/${ids.userId}/2`,
  categoryList: '/categoryConfig/categoryList',
  categoryListNoMatch: '/categoryConfig/categoryList?searchValue=nothing-like-this',
  categoryAdd: '/add/addCategory',
  categoryEdit: `/add/addCategory?categoryId=${ids.categoryId}`,
  categoryDetail: `/detail/detailCategory/${ids.categoryId}/category`,
  categoryEmpty: `/detail/detailCategory/${ids.emptyCategoryId}/category`,
  productList: '/productConfig/productList',
  productCards: '/productConfig/productList?view=cards',
  productListNoMatch: '/productConfig/productList?searchValue=nothing-like-this',
  productAdd: '/add/addProduct?categoryId=std-lighting',
  productEdit: `/add/addProduct?productId=${ids.productId}`,
  productInformation: `/detail/detailProduct/${ids.productId}`,
  productModel: `/detail/detailProduct/${ids.productId}?tab=model`,
  productVersions: `/detail/detailProduct/${ids.productId}?tab=versions&from=1&to=2`,
  productDevices: `/detail/detailProduct/${ids.productId}?tab=devices`,
  productCode: `/detail/detailProduct/${ids.productId}?tab=code`,
  productMissing: '/detail/detailProduct/nobody',
  deviceList: '/productConfig/deviceList',
  deviceListNoMatch: '/productConfig/deviceList?searchValue=nothing-like-this&online=1',
  deviceListFilters: `/productConfig/deviceList?productId=${ids.productId}&nodeType=1`,
  blackDeviceList: '/productConfig/blackDeviceList',
  deviceAdd: `/add/addDevice?productId=${ids.productId}`,
  deviceImport: `/add/addDevice?from=file&productId=${ids.productId}`,
  ...deviceScreensOf(ids),
  ...upgradeScreensOf(ids),
  ...zoneScreensOf(ids),
  ...syncScreensOf(ids),
  auditLog: '/systemConfig/auditLog',
  outbox: '/systemConfig/outbox',
  personCenter: '/person/personCenter',
  updatePassword: '/person/updatePassword',
  updateEmail: '/person/updateEmail',
  updatePhone: '/person/updatePhone',
  bindPhone: '/person/bindPhone',
  destoryAccount: '/person/destoryAccount',
  missing: '/add/addTenant/nobody/2',
  notFound: '/no/such/page',
});

type Sample = { tenancyId: string; applicationId: string; roleId: string; userId: string };
/** Two menus of one tenant: devices and firmware. */
const FEW_MENUS = [Menu.deviceList, Menu.softwareVersion];
export type FewMenus = { username: string; menus: readonly number[] };
export type SampleIds = Sample & { fewMenus: FewMenus } & DeviceScreenIds &
  UpgradeScreenIds &
  ZoneScreenIds &
  SyncScreenIds & { categoryId: string; emptyCategoryId: string; productId: string; deviceId: string };

/** Categories, products with two versions of a model, and devices. */
const seedModels = async (hub: Hub, { tenancyId, applicationId }: Sample) => {
  const category = { description: '冷链运输中的温湿度记录', tenancyId };
  const { categoryId } = await hub.admin.ok(categoryCalls.addCategory, {
    ...category,
    categoryName: '冷链记录仪',
    copyFrom: 'std-environment-sensor',
  });
  const emptyCategoryId = await hub.create.category(tenancyId);
  const created = { applicationId, classId: 3, description: 'IP67, -40 °C' } as const;
  const productId = await hub.create.product(tenancyId, { ...created, productName: '冷链温湿度记录仪', categoryId });
  await hub.create.product(tenancyId, { productName: 'corridor-lamp-(dimmable)', nodeType: 3, protocolId: 2 });
  await hub.create.product('1', {
    productName: 'edge-gateway-2',
    categoryId: 'std-gateway',
    nodeType: 2,
    protocolId: 4,
  });
  await hub.admin.ok(modelCalls.addProductFunctions, { productId, functions: [{ id: 'std-water-leak-leaking' }] });
  const functions = await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
  await hub.admin.ok(modelCalls.deleteProductFunction, { id: functions[2]?.id ?? '' });
  const devices: string[] = [];
  for (const online of [1, 2, 1] as const) devices.push(await hub.create.device({ productId, applicationId, online }));
  const [deviceId = '', black = '', kicked = ''] = devices;
  await hub.admin.ok(controlCalls.markBlack, { idList: [black], op: 1, reason: '在仓库丢失 / lost in the depot' });
  await hub.admin.ok(controlCalls.kickOut, { deviceId: kicked, op: 1, until: 3 });
  return { categoryId, emptyCategoryId, productId, deviceId };
};

/** Small realistic sample data, created through the hub's API. */
export const seed = async (hub: Hub): Promise<SampleIds> => {
  const companies = ['青岚智能', '北辰能源', 'Harbour Cold Chain', '云栖物业', 'Lakeside Water'];
  const created: Sample[] = [];
  for (const [index, company] of companies.entries()) {
    const { tenancyId } = await hub.admin.ok(tenancyCalls.addTenancy, {
      ...tenancyFields(),
      tenancyName: company,
      companyName: `${company} 有限公司`.slice(0, 50),
      contactName: index % 2 ? '王芳' : 'Li Lei',
    });
    const { applicationId } = await hub.admin.ok(applicationCalls.addApplication, {
      applicationName: `${index % 2 ? '楼宇监控' : 'fleet-monitor'}-${index}`,
      tenancyId,
    });
    const { roleId } = await hub.admin.ok(roleCalls.addRole, {
      roleName: index % 2 ? '运维人员' : 'Operators',
      menus: [202, 302],
      tenancyId,
    });
    const { userId } = await hub.admin.ok(userCalls.addUser, {
      username: `operator-${index}`,
      name: index % 2 ? '韩梅梅' : 'Ann Lee',
      email: `operator${index}@example.com`,
      phone: `1380000000${index}`,
      roleId,
      tenancyId,
    });
    created.push({ tenancyId, applicationId, roleId, userId });
  }
  await hub.admin.ok(applicationCalls.updateEnabledStatus, {
    applicationId: created[1]?.applicationId ?? '',
    enabled: 0,
  });
  await hub.admin.ok(personalCalls.savePreferences, { preferences: {} }, { as: 'json' });
  const [first] = created;
  if (!first) throw new Error('nothing was made');
  const models = await seedModels(hub, first);
  const devices = await seedDevices(hub, first);
  const upgrades = await seedUpgrades(hub, { ...first, ...models });
  const zones = await seedZones(hub, { ...first, ...models });
  const sync = await seedSync(hub, { ...models, ...zones });
  const { username } = await hub.create.user({ tenancyId: first.tenancyId, menus: FEW_MENUS });
  const fewMenus = { username, menus: FEW_MENUS };
  return { ...first, ...models, ...devices, ...upgrades, ...zones, ...sync, fewMenus };
};
