import {
  applicationCalls,
  type Call,
  categoryCalls,
  deviceCalls,
  personalCalls,
  productCalls,
  roleCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HubTables } from '../../src/db/hub-tables.ts';
import { type Hub, type TestUser, unique } from '../hub.ts';
import { startHub } from '../in-process-hub.ts';

/** Fields that an attacker may try to set by an update. */
const coveted = {
  roleId: '1',
  role_id: '1',
  tenancyId: '1',
  tenancy_id: '1',
  enabled: 0,
  builtin: 1,
  standard: 1,
  creator: 'admin',
  isFirst: 1,
  mustChangePassword: 0,
  password: 'Other-pass1',
  email: 'mine@example.com',
  blacklisted: 0,
  mock: 1,
  productSecret: 'known-to-me',
  deviceSecret: 'known-to-me',
  platform: 1,
};

let hub: Hub;
let user: TestUser;
let ids: Record<'roleId' | 'applicationId' | 'categoryId' | 'productId' | 'deviceId', string>;
beforeAll(async () => {
  hub = await startHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [201, 202, 302, 401, 501, 502] });
  const applicationId = await hub.create.application(tenancyId);
  const productId = await hub.create.product(tenancyId);
  ids = {
    roleId: await hub.create.role(tenancyId, [302]),
    applicationId,
    categoryId: await hub.create.category(tenancyId),
    productId,
    deviceId: await hub.create.device({ productId, applicationId }),
  };
});
afterAll(() => hub.close());

type Update = [
  title: string,
  call: Call,
  sent: () => Record<string, unknown>,
  table: keyof HubTables & string,
  key: string,
  changed: string[],
];

const updates: Update[] = [
  [
    'one’s own account',
    personalCalls.updateSimpleUser,
    () => ({ userId: user.userId, name: '韩梅梅' }),
    'user_account',
    'user_id',
    ['name', 'name_key'],
  ],
  [
    'a role',
    roleCalls.updateRole,
    () => ({ roleId: ids.roleId, roleName: unique('r'), menus: [302] }),
    'role',
    'role_id',
    ['role_name', 'role_name_key'],
  ],
  [
    'an application',
    applicationCalls.updateApplication,
    () => ({ applicationId: ids.applicationId, applicationName: unique('a') }),
    'application',
    'application_id',
    ['application_name', 'application_name_key'],
  ],
  [
    'a category',
    categoryCalls.updateCategory,
    () => ({ categoryId: ids.categoryId, categoryName: unique('cat-') }),
    'category',
    'category_id',
    ['category_name', 'category_name_key', 'search_key'],
  ],
  [
    'a product',
    productCalls.updateDeviceProduct,
    () => ({ productId: ids.productId, productName: unique('p') }),
    'product',
    'product_id',
    ['product_name', 'product_name_key', 'sync_revision', 'revision'],
  ],
  [
    'a device',
    deviceCalls.updateDevice,
    () => ({ deviceId: ids.deviceId, deviceName: unique('d') }),
    'device',
    'device_id',
    ['device_name', 'device_name_key'],
  ],
];

const rowOf = async (table: keyof HubTables & string, key: string, id: unknown, leaveOut: string[]) => {
  const row = await hub.db
    .selectFrom(table)
    .selectAll()
    .where(key as never, '=', id as never)
    .executeTakeFirstOrThrow();
  return Object.fromEntries(Object.entries(row).filter(([name]) => ![...leaveOut, 'updated_at'].includes(name)));
};

describe.each(updates)('an update of %s', (_title, call, sent, table, key, changed) => {
  const extra = Object.fromEntries(Object.entries(coveted).filter(([name]) => !(name in call.input.shape)));

  it('ignores unknown fields of a form', async () => {
    const input = sent();
    const id = Object.values(input)[0];
    const before = await rowOf(table, key, id, changed);
    expect(await user.send(call, { ...extra, ...input })).toMatchObject({ success: true });
    expect(await rowOf(table, key, id, changed)).toEqual(before);
    expect(Object.values(await rowOf(table, key, id, []))).toContain(Object.values(input)[1]);
  });

  it('rejects unknown fields of JSON', async () => {
    const input = sent();
    const before = await rowOf(table, key, Object.values(input)[0], []);
    for (const [name, value] of Object.entries(extra))
      expect(await user.send(call, { ...input, [name]: value }, { as: 'json' }), name).toMatchObject({
        code: 'BAD_INPUT',
        details: [{ field: name }],
      });
    expect(await rowOf(table, key, Object.values(input)[0], [])).toEqual(before);
  });
});
