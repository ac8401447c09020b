import { categoryCalls, modelCalls } from '@device-center/contract';
import { property } from './functions.ts';
import { type Hub, type TestUser, tenancyFields, unique } from './hub.ts';

type Fields = Record<string, unknown>;
export type Scratch = { user: TestUser; tenancyId: string; applicationId: string; roleId: string };

const personal = { code: '000000', email: 'nobody@example.com', phone: '13800000000' };

const ofPeople = (hub: Hub, { user, tenancyId, applicationId, roleId }: Scratch) => ({
  'account.login': { username: unique('u'), password: 'Wrong-pass1' },
  'account.retrievePassword': { email: 'nobody@example.com', code: '000000', password: 'Some-pass1' },
  'personal.checkCode': { code: '000000', info: 'nobody@example.com', type: 3 },
  'personal.bindEmail': { email: personal.email, code: personal.code },
  'personal.bindPhone': { phone: personal.phone, code: personal.code },
  'personal.cancelAccount': { code: personal.code },
  'personal.firstLoginUpdatePassword': { newPassword: 'Other-pass1', oldPassword: 'Wrong-pass1' },
  'personal.updateSimpleUser': { userId: user.userId, name: '李雷' },
  'role.addRole': { roleName: unique('r'), menus: [201], tenancyId },
  'role.updateRole': { roleId, roleName: unique('r'), menus: [201] },
  'user.addUser': { username: unique('u'), name: '李雷', email: `${unique('m')}@example.com`, roleId, tenancyId },
  'tenancy.addTenancy': tenancyFields(),
  'tenancy.updateTenancy': async () => ({ tenancyId: await hub.create.tenancy(), ...tenancyFields() }),
  'tenancy.updateEnabledStatus': async () => ({ tenancyId: await hub.create.tenancy() }),
  'quota.updateTenancyQuotas': { tenancyId },
  'application.addApplication': { applicationName: unique('a'), tenancyId },
  'application.updateApplication': { applicationId, applicationName: unique('a') },
  'application.updateEnabledStatus': { applicationId },
});

const ofModels = (hub: Hub, { tenancyId }: Scratch) => {
  const category = async () => ({ categoryId: await hub.create.category(tenancyId) });
  const product = async () => ({ productId: await hub.create.product(tenancyId, { inheritFunctions: 0 }) });
  const { functionType: _fixed, ...changed } = property('changed');
  const openFunction = async () => {
    const { id } = await hub.admin.ok(categoryCalls.addOpenFunction, { ...(await category()), ...property('old') });
    return { id };
  };
  const ownFunction = async () => {
    const { id } = await hub.admin.ok(modelCalls.addProductFunction, { ...(await product()), ...property('old') });
    return { id };
  };
  const save = { modelVersion: 1, functions: '[]' };
  return {
    'category.addCategory': { categoryName: unique('cat-'), tenancyId },
    'category.updateCategory': async () => ({ ...(await category()), categoryName: unique('cat-') }),
    'category.getOpenFunctions': category,
    'category.addOpenFunction': async () => ({ ...(await category()), ...property('power') }),
    'category.addOpenFunctions': category,
    'category.updateOpenFunction': async () => ({ ...(await openFunction()), ...changed }),
    'category.deleteOpenFunction': openFunction,
    'category.saveOpenFunctions': async () => ({ ...(await category()), ...save }),
    'product.addDeviceProduct': {
      productName: unique('p'),
      categoryId: 'std-lighting',
      nodeType: 1,
      protocolId: 1,
      classId: 1,
      tenancyId,
    },
    'product.updateDeviceProduct': async () => ({ ...(await product()), productName: unique('p') }),
    'model.addProductFunction': async () => ({ ...(await product()), ...property('power') }),
    'model.addProductFunctions': async () => ({ ...(await product()), functions: [property('power')] }),
    'model.updateProductFunction': async () => ({ ...(await ownFunction()), ...changed }),
    'model.deleteProductFunction': ownFunction,
    'model.saveProductModel': async () => ({ ...(await product()), ...save }),
    'model.previewProductModel': product,
    'model.importProductModel': async () => ({ ...(await product()), content: '[]' }),
    'model.restoreModelVersion': async () => ({ ...(await product()), version: 1 }),
  };
};

const nobody = { deviceId: 'nobody' };

/** A device that does not exist: validation comes before the lookup. */
const ofDevices = {
  'device.addDevice': { productId: 'nobody', deviceId: 'x' },
  'device.registerDevices': { productId: 'nobody' },
  'device.updateDevice': { ...nobody, deviceName: 'x' },
  'control.reboot': nobody,
  'control.commandDeviceFunction': { ...nobody, functionId: 'power', functionValue: '1' },
  'control.markBlack': { idList: 'nobody', op: 1 },
  'control.kickOut': { ...nobody, op: 1 },
  'control.configLogLevel': nobody,
  'control.configLogSwitch': nobody,
  'control.updateDeviceConfiguration': {
    ...nobody,
    applicationId: 'x',
    haZoneId: 1,
    loggerLevel: 4,
    realTimePushSwitch: 0,
  },
  'mock.createMockDevice': { deviceName: 'x', productId: 'nobody' },
  'mock.addMockChildren': { ...nobody, children: '[{"deviceName":"x","productId":"nobody"}]' },
  'mock.saveFunctionDefaults': { ...nobody, values: '{}' },
  'mock.saveMockRun': { ...nobody, runInHub: 0 },
};

const fields = {
  versionName: 'x',
  versionNumber: '1',
  productId: 'nobody',
  firmwareUri: 'fw/nobody',
  nickName: 'x.bin',
};

/** A version and a task that do not exist. */
const ofUpgrades = {
  'firmware.addDeviceOtaVersion': fields,
  'firmware.updateDeviceOtaVersion': { versionId: 'nobody', ...fields },
  'ota.addDeviceOtaTask': { taskName: 'x', deviceVersionId: 'nobody', deviceListId: 'nobody' },
  'ota.rehearseDeviceOtaTask': { taskName: 'x', deviceVersionId: 'nobody' },
  'ota.retryOtaForFailed': { taskId: 'nobody' },
  'ota.updateDeviceOtaTaskStatus': { taskId: 'nobody', taskStatus: 1 },
};

const zone = {
  zoneType: 1,
  routeKey: 'dc',
  address: 'mqtt.example.com',
  isSyncModel: 0,
  nodes: '[{"hostName":"broker.example.com","port":1883,"serverType":1}]',
};

/** A zone and a node that do not exist, except for a new zone; an API key for a role without users. */
const ofZones = () => ({
  'zone.addZone': { ...zone, zoneName: unique('z') },
  'zone.modifyZone': { ...zone, id: 2_000_000_000, zoneName: unique('z') },
  'zone.setZoneState': { id: 2_000_000_000, status: 1 },
  'zone.testZoneNode': {
    ...{ zoneType: 1, nodeId: 'nobody', hostName: 'broker.example.com', port: 1883, serverType: 1 },
  },
  'apiKey.addApiKey': { keyName: unique('k'), roleId: 'nobody' },
  'sync.querySyncRecordList': { zoneId: 1 },
  'sync.previewSync': { zoneId: 2_000_000_000, dataType: 1 },
  'sync.request': { zoneId: 2_000_000_000, syncIds: 'nobody' },
  'sync.oneKey': { zoneId: 2_000_000_000, dataType: 1 },
  'product.takeOverProduct': { productId: 'nobody' },
  'device.takeOverDevice': { deviceId: 'nobody' },
  'sync.resend': { zoneId: 2_000_000_000, dataType: 1 },
});

/** Valid input for all other fields of a call. New for each use: names are unique on a hub. */
export const validInput = async (hub: Hub, scratch: Scratch, call: string): Promise<Fields> => {
  const created: Record<string, Fields | (() => Promise<Fields>)> = {
    ...ofPeople(hub, scratch),
    ...ofModels(hub, scratch),
    ...ofDevices,
    ...ofUpgrades,
    ...ofZones(),
  };
  const input = created[call] ?? {};
  return typeof input === 'function' ? input() : input;
};
