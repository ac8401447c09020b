import {
  apiKeyCalls,
  applicationCalls,
  categoryCalls,
  modelCalls,
  personalCalls,
  productCalls,
  roleCalls,
} from '@device-center/contract';
import type { HubTables } from '../src/db/hub-tables.ts';
import { nextSequenceId } from '../src/platform/ids.ts';
import { insertRecords, recordsOf } from './device-records.ts';
import { createVersion, insertTask, insertTaskDevice, uploaded } from './firmware-fixtures.ts';
import { property } from './functions.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { addMock, createMockProducts } from './mock-fixtures.ts';
import { PNG, pictureIdOf, upload, uploadedIcon } from './pictures.ts';

/** One of two tenants that must be isolated from each other. */
export type TenantFixture = {
  user: TestUser;
  /** Ids by the field that takes them; `slice.field` when the same name has another meaning there. */
  ids: Record<string, string>;
  /** Texts that the other tenant must never read. */
  words: string[];
};

const MENUS = [1, 201, 202, 203, 205, 302, 401, 501, 502, 601, 602, 1101];
const PLATFORM_MENUS = [301, 204, 603, 604];

/** A user of the tenant who may read every list. */
export const createReader = (hub: Hub, tenancyId: string): Promise<TestUser> =>
  hub.create.user({ tenancyId, menus: tenancyId === '1' ? [...MENUS, ...PLATFORM_MENUS] : MENUS });

const imageOf = async (user: TestUser): Promise<string> => {
  const answer = await upload(user, personalCalls.updateUserHead, { bytes: PNG });
  return answer.success ? (answer.data as { image: string }).image : '';
};

const makeThings = async (hub: Hub, user: TestUser, applicationId: string) => {
  const { tenancyId } = user;
  const categoryId = await hub.create.category(tenancyId);
  const open = await user.ok(categoryCalls.addOpenFunction, { categoryId, ...property('opened') });
  const icon = pictureIdOf(await uploadedIcon(user));
  const productId = await hub.create.product(tenancyId, { categoryId, applicationId, icon });
  const { categoryName } = await user.ok(categoryCalls.getCategoryDetails, { categoryId });
  const { productName } = await user.ok(productCalls.getDeviceProductDetails, { productId });
  const [own] = await user.ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
  const parentId = await hub.create.device({ productId, applicationId });
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.db
    .updateTable('device')
    .set({ parent_id: parentId, blacklisted: 1, black_at: Date.now() })
    .where('device_id', '=', deviceId)
    .execute();
  await insertRecords(hub, { tenancyId, productId, deviceId });
  const mock = await createMockProducts(hub, tenancyId);
  const version = await createVersion(hub, { productId, tenancyId });
  const task = { versionId: version.versionId, productId, tenancyId };
  const taskId = await insertTask(hub, task, 0);
  const line = { username: user.username, action: 'create', from_status: -1, to_status: 0, detail: '' };
  const logNo = nextSequenceId();
  await hub.db
    .insertInto('ota_log')
    .values({ log_no: logNo, task_id: taskId, logged_at: Date.now(), ...line })
    .execute();
  const recordNo = await insertTaskDevice(hub, taskId, { deviceId, tenancyId, status: 0, attempt: 0 });
  const spare = await createVersion(hub, { productId, tenancyId });
  const { firmwareUri } = await uploaded(hub.admin, Buffer.from(unique('bytes')), { tenancyId });
  return {
    ids: {
      categoryId,
      // Unused: only the check of the owner can prevent its deletion.
      categoryIds: await hub.create.category(tenancyId),
      copyFrom: categoryId,
      productId,
      productIds: await hub.create.product(tenancyId),
      deviceId,
      deviceIds: deviceId,
      idList: deviceId,
      logFileName: `${deviceId}_${new Date().toISOString().slice(0, 10)}.log`,
      parentId,
      'mock.deviceId': await addMock(hub, mock, { children: 1 }),
      'mock.productId': mock.gatewayProductId,
      'mock.children': mock.childProductId,
      'category.id': open.id,
      'model.id': own?.id ?? '',
      // Unused by any product.
      'product.pictureId': pictureIdOf(await uploadedIcon(user)),
      icon: pictureIdOf(await uploadedIcon(user)),
      versionId: version.versionId,
      deviceVersionId: version.versionId,
      // Unused by any task.
      versionIds: spare.versionId,
      firmwareUri,
      'firmware.name': firmwareUri,
      taskId,
      taskIds: taskId,
      deviceOtaTaskId: String(recordNo),
      deviceListId: deviceId,
      appId: applicationId,
    },
    words: [categoryName, productName],
  };
};

export const createTenantFixture = async (hub: Hub): Promise<TenantFixture> => {
  const tenancyId = await hub.create.tenancy();
  const user = await createReader(hub, tenancyId);
  const other = await hub.create.user({ tenancyId, menus: [302] });
  const { roleId } = other;
  const applicationId = await hub.create.application(tenancyId);
  const [session] = await other.ok(personalCalls.getSessions, {});
  const [message] = await hub.db
    .selectFrom('outbox')
    .select('outbox_id')
    .where('recipient', '=', other.email)
    .execute();
  const { tenancyName } = await user.ok(personalCalls.getPersonalMessage, {});
  const { roleName } = await user.ok(roleCalls.getRoleDetails, { roleId });
  const { applicationName } = await user.ok(applicationCalls.getApplicationDetails, { applicationId });
  const things = await makeThings(hub, user, applicationId);
  const keyName = unique('key');
  const { keyId } = await user.ok(apiKeyCalls.addApiKey, { keyName, roleId });
  const ids = {
    tenancyId,
    roleId,
    applicationId,
    applicationIds: applicationId,
    userId: other.userId,
    userIds: other.userId,
    'personal.pictureId': pictureIdOf(await imageOf(other)),
    sessionId: session?.sessionId ?? '',
    outboxId: message?.outbox_id ?? '',
    keyId,
    ...things.ids,
  };
  const names = [user.username, other.username, tenancyName, roleName, applicationName, keyName];
  return { user, ids, words: [...Object.values(ids), ...names, ...things.words] };
};

/** Columns that the delivery of a message changes. */
const DELIVERY = ['body_sealed', 'body_after', 'state', 'attempts', 'next_at', 'error', 'sent_at'];

const byTenancy = [
  'tenancy',
  'user_account',
  'role',
  'application',
  'picture',
  'category',
  'product',
  'device',
  'firmware_file',
  'ota_version',
  'ota_task',
  'ota_device',
  'api_key',
] as const;

/** All rows of a tenant, of all tables. */
export const snapshot = async (
  hub: Hub,
  { ids: { tenancyId = '' }, user }: TenantFixture,
): Promise<Record<string, unknown>> => {
  const { db } = hub;
  const own = async (table: 'audit_log' | (typeof byTenancy)[number]) => {
    const rows = await db.selectFrom(table).selectAll().where('tenancy_id', '=', tenancyId).execute();
    // The leader of an upgrade task keeps renewing its lease.
    return sorted(rows.map((row) => without(row, ['leader_until'])));
  };
  const under = async (table: keyof HubTables & string, column: string, values: string[], leaveOut: string[] = []) => {
    const rows = await db
      .selectFrom(table)
      .selectAll()
      .where(column as never, 'in', values as never)
      .execute();
    return sorted(rows.map((row) => without(row, leaveOut)));
  };
  const tables = await Promise.all(byTenancy.map(async (table) => [table, await own(table)] as const));
  const named = Object.fromEntries(tables) as unknown as Record<string, Record<string, string>[]>;
  const column = (table: (typeof byTenancy)[number], name: string) =>
    (named[table] ?? []).map((row) => row[name] ?? '');
  const userIds = column('user_account', 'user_id');
  const productIds = column('product', 'product_id');
  const deviceIds = column('device', 'device_id');
  return {
    ...named,
    user: user.userId,
    audit: await own('audit_log'),
    grants: await under('role_menu', 'role_id', column('role', 'role_id')),
    sessions: await under('session', 'user_id', userIds, ['last_used_at']),
    codes: await under('verification_code', 'asker', userIds),
    outbox: await under('outbox', 'recipient', column('user_account', 'email'), DELIVERY),
    openFunctions: await under('open_function', 'category_id', column('category', 'category_id')),
    functions: await under('product_function', 'product_id', productIds),
    versions: await under('product_model_version', 'product_id', productIds),
    mocks: await under('mock_device', 'device_id', deviceIds),
    deviceMutations: await under('device_command', 'tenancy_id', [tenancyId]),
    cuts: await under('device_cut', 'scope_id', [tenancyId, ...column('application', 'application_id'), ...deviceIds]),
    deviceSessions: await under('device_session', 'device_id', deviceIds),
    records: await recordsOf(hub, deviceIds),
  };
};

const without = (row: object, names: string[]): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const sorted = (rows: object[]): object[] =>
  rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

/** A valid value of the tenant's own objects for a field; a field of a new call without a value fails the test. */
export const validValueFor = (slice: string, name: string, field: string, { ids }: TenantFixture): unknown => {
  const made: Record<string, unknown> = {
    ...ids,
    roleName: unique('r'),
    applicationName: unique('a'),
    username: unique('u'),
    email: `${unique('m')}@example.com`,
    name: '李雷',
    menus: [302],
    enabled: 0,
    tenancyName: unique('t'),
    companyName: unique('c'),
    contactName: '李雷',
    companyAddress: '路 1',
    categoryName: unique('cat-'),
    productName: unique('p'),
    nodeType: 1,
    protocolId: 1,
    classId: 1,
    ...property(unique('code')),
    functions: [property(unique('code'))],
    content: [property(unique('code'))],
    modelVersion: name === 'saveOpenFunctions' ? 2 : 1,
    version: 1,
    from: 1,
    to: 1,
    deviceName: unique('d'),
    devices: [{ deviceId: unique('d') }],
    functionId: 'opened',
    functionValue: '1',
    op: 1,
    haZoneId: 1,
    loggerLevel: 4,
    realTimePushSwitch: 0,
    logLevel: 3,
    logSwitch: 1,
    values: {},
    runInHub: 0,
    taskName: unique('t'),
    versionName: unique('v'),
    versionNumber: `1.${Date.now()}`,
    nickName: 'f.bin',
    taskStatus: 1,
    keyName: unique('k'),
    zoneName: unique('z'),
    zoneType: 1,
    routeKey: 'dc',
    address: 'mqtt.example.com',
    isSyncModel: 0,
    nodes: '[{}]',
    status: 1,
    'mock.children': [{ deviceName: unique('d'), productId: ids['mock.children'] }],
  };
  if (name === 'addDevice' && field === 'deviceId') return unique('d');
  return made[`${slice}.${field}`] ?? made[field];
};
