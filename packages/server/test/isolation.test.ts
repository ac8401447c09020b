import {
  allCalls,
  applicationCalls,
  auditCalls,
  type Call,
  categoryCalls,
  contract,
  deviceCalls,
  personalCalls,
  productCalls,
  roleCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { property } from './functions.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { readPng } from './pictures.ts';
import { plainFields } from './plain-fields.ts';
import { createReader, createTenantFixture, snapshot, type TenantFixture, validValueFor } from './tenants.ts';
import { sendParts } from './zone-fixtures.ts';

let hub: Hub;
let mine: TenantFixture;
let theirs: TenantFixture;
let operator: TestUser;

beforeAll(async () => {
  hub = await startHub();
  [mine, theirs] = [await createTenantFixture(hub), await createTenantFixture(hub)];
  operator = await createReader(hub, '1');
});
afterAll(() => hub.close());

/** Functions name others by id too, open ones to copy or those that a whole save keeps; children name products. */
const ID = /^(id|icon|copyFrom|functions|children|idList|firmwareUri|logFileName)$|Ids?$/;
/** In other calls `name` is only a display name. */
const namesThing = (name: string, field: string): boolean =>
  ID.test(field) || (name === 'deleteDeviceOtaFile' && field === 'name');
/** Enumerations, and ids within a device's own messages. */
const OPTIONS = ['protocolId', 'classId', 'haZoneId', 'functionId', 'messageId'];
const LIST = /^(query(?!DeviceLog)\w+|getCategory|black|deviceOta)List$|^queryRefusedLogin(s|Groups)$/;
/** A sheet of devices is a list of objects, which only JSON can hold. */
const waysOf = (name: string) => (name === 'registerDevices' ? (['json'] as const) : (['form', 'json'] as const));
/** Lists whose rows have no tenant. */
const WITHOUT_TENANT = /^query(MenuList|ZoneList|RefusedLogin(s|Groups))$|^deviceOtaList$/;
/** A task needs devices, though no single field of those that name them is required. */
const NEEDS_DEVICES = ['previewDeviceOtaTask', 'addDeviceOtaTask'];
/** The id of a new device may be any; taken ids are reported. Separate tests send files. */
const isForeign = (name: string, field: string, call: Call): boolean =>
  !(name === 'addDevice' && field === 'deviceId') && !call.file && !call.forDevices;

/** Zones and sync records belong to the platform; a separate test covers that tenants cannot manage them. */
const ownedByTenants = allCalls.filter(({ slice }) => slice !== 'zone' && slice !== 'sync');
const places = ownedByTenants.flatMap(({ slice, name, call }) =>
  Object.keys(call.input.shape)
    .filter((field) => namesThing(name, field) && !OPTIONS.includes(field) && isForeign(name, field, call))
    .map((field) => ({ title: `${slice}.${name} with another's ${field}`, slice, name, call, field })),
);
type Place = (typeof places)[number];

/** The home page's figures of another tenant are those of a fleet without devices. */
const isEmptyFleet = (data: unknown): boolean => !/[1-9]/.test(JSON.stringify(data).replaceAll(/"\d{4}-[\d-]+"/g, ''));

const idOf = ({ slice, name, field }: Place, { ids }: TenantFixture): string => {
  if (field === 'functions') return ids[/^add|Open/.test(name) ? 'category.id' : 'model.id'] ?? '';
  return ids[`${slice}.${field}`] ?? ids[field] ?? '';
};

/** The value of the field: the id itself, or a function or child with it. */
const sentFor = ({ name, field }: Place, id: string): unknown => {
  if (field === 'children') return [{ deviceName: unique('d'), productId: id }];
  if (field !== 'functions') return id;
  return /^add/.test(name) ? [property(unique('code')), { id }] : [{ id, ...property(unique('code')) }];
};

/** A key is for a role unless it is for an application. */
const bindingOf = ({ name, field }: Place, { ids }: TenantFixture): Record<string, unknown> => {
  if (name !== 'addApiKey') return {};
  return field === 'applicationId' ? { scope: 'sync' } : { roleId: ids.roleId };
};

/** The required fields of a call and, of the others, only the one in question. */
const inputFor = (place: Place, own: TenantFixture, id: string): Record<string, unknown> => {
  const { slice, name, field, call } = place;
  const required = Object.entries(call.input.shape).filter(([, schema]) => !schema.safeParse(undefined).success);
  const filled = required.map(([other]) => [other, validValueFor(slice, name, other, own)]);
  const devices = NEEDS_DEVICES.includes(name) ? { deviceListId: own.ids.deviceListId } : {};
  // Of the two versions only this one may be changed.
  const version = name === 'updateDeviceOtaVersion' && field === 'firmwareUri' ? { versionId: own.ids.versionIds } : {};
  const bound = bindingOf(place, own);
  return { ...devices, ...bound, ...Object.fromEntries(filled), ...version, [field]: sentFor(place, id) };
};

it('assigns every field: it references an object or is listed as plain', () => {
  const fields = ownedByTenants
    .filter(({ call }) => !call.forDevices)
    .flatMap(({ slice, name, call }) =>
      Object.keys(call.input.shape).map((field) => [`${slice}.${name}`, name, field]),
    );
  const unknown = fields.filter(([, name = '', field = '']) => !namesThing(name, field) && !plainFields.has(field));
  expect(unknown, 'put the field into plain-fields.ts, or among those that name a thing').toEqual([]);
});

/** The rows of both tenants; the state after one call is the start of the next. */
let known: unknown;
const lookAtBoth = async (): Promise<unknown> => {
  known = [await snapshot(hub, theirs), await snapshot(hub, mine)];
  return known;
};

const expectRefused = ({ call, name, slice, field, title }: Place, answer: unknown): void => {
  if (call.platformOnly) expect(answer, title).toMatchObject({ statusCode: 403, code: 'FORBIDDEN' });
  else if (name === 'countDevices') expect(answer, title).toMatchObject({ data: { total: 0, online: 0, offline: 0 } });
  // A file is answered without the envelope, an error with it.
  else if (name === 'exportDeviceList')
    expect(answer, title).toMatchObject({ data: expect.stringMatching(/^[^\n]+\n$/) });
  else if (name === 'previewDeviceOtaTask' && field === 'deviceListId')
    expect(answer, title).toMatchObject({ data: { total: 0, devices: { list: [] } } });
  else if (slice === 'home') expect(answer, title).toSatisfy(({ data }) => isEmptyFleet(data));
  // A separate test covers the content of the answer.
  else if (name === 'streamDevices' && field === 'tenancyId') expect(answer, title).toMatchObject({ success: true });
  else if (LIST.test(name)) expect(answer, title).toMatchObject({ success: true, data: { total: 0, list: [] } });
  else expect(answer, `${title} ${JSON.stringify(answer)}`).toMatchObject({ success: false, statusCode: 404 });
};

const slices = [...new Set(places.map(({ slice }) => slice))].map((slice) => ({
  slice,
  own: places.filter((place) => place.slice === slice),
}));

describe.each(slices)("another's id in a call of $slice", ({ own }) => {
  // Spec 6.4, 7
  it('returns nothing, reveals nothing and changes nothing', async () => {
    const before = known ?? (await lookAtBoth());
    for (const place of own) {
      const { call, name, title } = place;
      const id = idOf(place, theirs);
      expect(id, `say in createTenantFixture() what a ${place.field} is`).toEqual(expect.stringMatching(/./));
      for (const as of waysOf(name)) {
        const answer = await mine.user.send(call, inputFor(place, mine, id), { as });
        expectRefused(place, answer);
        // The answer may contain the caller's own input.
        const told = JSON.stringify(answer).replaceAll(id, '');
        expect(
          theirs.words.filter((word) => told.includes(word)),
          title,
        ).toEqual([]);
      }
    }
    expect(await lookAtBoth()).toEqual(before);
  });

  it('answers the same as for an unknown id', async () => {
    for (const place of own) {
      const told = async (value: string) => {
        const answer = await mine.user.send(place.call, inputFor(place, mine, value), { as: waysOf(place.name)[0] });
        return JSON.stringify({ ...answer, requestId: '' }).replaceAll(value, '');
      };
      const isFile = /^fw\//.test(idOf(place, theirs));
      const asTheirs = await told(idOf(place, theirs));
      expect(asTheirs, place.title).toEqual(await told(isFile ? 'fw/nobodyHasIt' : 'nobodyHasIt'));
    }
  });
});

describe('a sheet of devices', () => {
  it.each(['productId', 'applicationId'] as const)(
    'with another’s %s is rejected like an unknown one',
    async (field) => {
      const check = async (value: string) => {
        const fields = { productId: mine.ids.productId, applicationId: mine.ids.applicationId, [field]: value };
        const files = { file: { name: 'devices.csv', bytes: Buffer.from('deviceId\nx1\n') } };
        const answer = await sendParts(mine.user, deviceCalls.checkDeviceFile, fields, files);
        return { ...answer, requestId: '' };
      };
      const answer = await check(theirs.ids[field] ?? '');
      expect(answer).toMatchObject({ success: false, statusCode: 404, data: null });
      expect(answer).toEqual(await check('nobodyHasIt'));
    },
  );
});

describe('reads by the owner', () => {
  const reads = places.filter(({ call }) => call.kind === 'query' && !call.platformOnly && !call.answersFile);

  it.each(reads)('$name with $field succeed, which proves the ids', async (place) => {
    const answer = await theirs.user.send(place.call, inputFor(place, theirs, idOf(place, theirs)));
    expect(answer).toMatchObject({ success: true });
    expect(JSON.stringify(answer)).not.toContain('"total":0');
  });

  it.each([
    ['avatar', personalCalls.getUserHead, 'personal.pictureId'],
    ['product picture', productCalls.getProductPicture, 'product.pictureId'],
  ])('the %s too', async (_kind, call, id) => {
    const address = `${hub.url}${call.path}?pictureId=${theirs.ids[id]}`;
    const read = await fetch(address, { headers: { Authorization: theirs.user.token } });
    expect(readPng(Buffer.from(await read.arrayBuffer()))).toMatchObject({ width: 1, height: 1 });
  });
});

describe('list isolation', () => {
  const lists = Object.values(contract)
    .flatMap((calls) => Object.entries(calls))
    .filter(([name, call]) => LIST.test(name) && !('platformOnly' in call) && !WITHOUT_TENANT.test(name))
    .map(([name, call]) => ({ name, call }));

  // Spec 6.1
  it.each(lists)('$name shows rows of the own tenant only', async ({ call }) => {
    const text = JSON.stringify(await mine.user.send(call, { pageSize: 200 }));
    expect(text).toContain(mine.ids.tenancyId);
    for (const word of theirs.words) expect(text).not.toContain(word);
    const all = JSON.stringify(await operator.send(call, { pageSize: 200 }));
    expect(all).toContain(mine.ids.tenancyId);
    expect(all).toContain(theirs.ids.tenancyId);
  });

  it.each(lists)('$name filters by tenant for the platform operator', async ({ call }) => {
    const text = JSON.stringify(await operator.send(call, { pageSize: 200, tenancyId: theirs.ids.tenancyId }));
    expect(text).toContain(theirs.ids.tenancyId);
    for (const word of mine.words) expect(text).not.toContain(word);
  });

  it.each(lists)('$name rejects two tenants at once', async ({ call }) => {
    const both = await mine.user.send(call, { tenancyId: [mine.ids.tenancyId, theirs.ids.tenancyId] });
    expect(both).toMatchObject({ statusCode: 400, details: [{ field: 'tenancyId' }] });
  });
});

describe('a batch with own and foreign ids', () => {
  it('deletes neither applications nor users', async () => {
    const before = [await snapshot(hub, mine), await snapshot(hub, theirs)];
    const applications = await mine.user.error(applicationCalls.deleteApplication, {
      applicationIds: [mine.ids.applicationId ?? '', theirs.ids.applicationId ?? ''],
    });
    expect(applications).toMatchObject({ statusCode: 404, code: 'APPLICATION_NOT_FOUND' });
    const users = await mine.user.error(userCalls.deleteUsers, {
      userIds: [mine.ids.userId ?? '', theirs.ids.userId ?? ''],
    });
    expect(users).toMatchObject({ statusCode: 404, code: 'USER_NOT_FOUND' });
    expect([await snapshot(hub, mine), await snapshot(hub, theirs)]).toEqual(before);
  });

  it('deletes neither categories nor products', async () => {
    const before = [await snapshot(hub, mine), await snapshot(hub, theirs)];
    const both = (id: string) => [mine.ids[id] ?? '', theirs.ids[id] ?? ''];
    const categories = { categoryIds: both('categoryIds') };
    expect(await mine.user.error(categoryCalls.deleteBatchCategory, categories)).toMatchObject({
      statusCode: 404,
      code: 'CATEGORY_NOT_FOUND',
    });
    const products = { productIds: both('productIds') };
    expect(await mine.user.error(productCalls.deleteDeviceProduct, products)).toMatchObject({
      statusCode: 404,
      code: 'PRODUCT_NOT_FOUND',
    });
    expect([await snapshot(hub, mine), await snapshot(hub, theirs)]).toEqual(before);
  });
});

describe('created objects', () => {
  it('belong to the creator’s own tenant, named or not', async () => {
    for (const tenancyId of [undefined, mine.ids.tenancyId, '']) {
      const role = { roleName: unique('r'), menus: [302], tenancyId };
      const { roleId } = await mine.user.ok(roleCalls.addRole, role);
      const { applicationId } = await mine.user.ok(applicationCalls.addApplication, {
        applicationName: unique('a'),
        tenancyId,
      });
      const { categoryId } = await mine.user.ok(categoryCalls.addCategory, {
        categoryName: unique('cat-'),
        tenancyId,
      });
      const kind = { nodeType: 1, protocolId: 1, classId: 1 } as const;
      const product = { productName: unique('p'), categoryId, ...kind, tenancyId };
      const { productId } = await mine.user.ok(productCalls.addDeviceProduct, product);
      expect(await mine.user.ok(categoryCalls.getCategoryDetails, { categoryId })).toMatchObject({
        tenancyId: mine.ids.tenancyId,
        standard: 0,
      });
      expect(await mine.user.ok(productCalls.getDeviceProductDetails, { productId })).toMatchObject({
        tenancyId: mine.ids.tenancyId,
        creator: mine.user.username,
      });
      expect(await mine.user.ok(roleCalls.getRoleDetails, { roleId })).toMatchObject({
        tenancyId: mine.ids.tenancyId,
      });
      expect(await mine.user.ok(applicationCalls.getApplicationDetails, { applicationId })).toMatchObject({
        tenancyId: mine.ids.tenancyId,
        creator: mine.user.username,
      });
    }
  });

  it('of the platform operator are in the audit log of their tenant', async () => {
    await hub.create.application(theirs.ids.tenancyId ?? '');
    const page = await theirs.user.ok(auditCalls.queryAuditLogList, { action: 'application.addApplication' });
    expect(page.list[0]).toMatchObject({ username: 'admin', tenancyId: theirs.ids.tenancyId });
  });
});
