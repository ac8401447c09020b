import { type FunctionDefault, type ModelFunction, mockCalls, modelCalls, productCalls } from '@device-center/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { event, integer, param, property, service } from './functions.ts';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { mockDetails } from './mock-fixtures.ts';

let hub: Hub;
let user: TestUser;
let productId: string;
let deviceId: string;

const model: ModelFunction[] = [
  property('level', integer(10, 100)),
  property('mode', {
    type: 'enum',
    items: [
      { value: 'eco', description: 'Eco' },
      { value: 'full', description: 'Full' },
    ],
  }),
  property('place', {
    type: 'json',
    fields: [
      param('x', { type: 'double', min: 0, max: 1 }),
      param('tags', { type: 'array', element: { type: 'string', length: 5 }, count: 3 }),
    ],
  }),
  service('blink', [param('times')], [param('done', { type: 'boolean' })]),
  event('burnt', [param('hours', { type: 'long', min: '5' })]),
];

beforeAll(async () => {
  hub = await sharedHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [1101] });
});
afterAll(() => hub.close());

const newModel = async (functions: ModelFunction[]): Promise<void> => {
  const { modelVersion } = await hub.admin.ok(productCalls.getDeviceProductDetails, { productId });
  await hub.admin.ok(modelCalls.saveProductModel, { productId, modelVersion, functions }, { as: 'json' });
};

beforeEach(async () => {
  const { tenancyId } = user;
  const applicationId = await hub.create.application(tenancyId);
  productId = await hub.create.product(tenancyId, { applicationId, inheritFunctions: 0 });
  await newModel(model);
  ({ deviceId } = await user.ok(mockCalls.createMockDevice, { deviceName: 'x', productId }));
});

const list = (): Promise<FunctionDefault[]> => user.ok(mockCalls.queryFunctionDefaults, { deviceId });
const valuesOf = async () => Object.fromEntries((await list()).map(({ functionId, value }) => [functionId, value]));
const savedOf = async () => (await list()).filter(({ saved }) => saved === 1).map(({ functionId }) => functionId);
const save = (values: Record<string, unknown>, as: 'json' | 'form' = 'json') =>
  user.ok(mockCalls.saveFunctionDefaults, { deviceId, values }, { as });
const refused = (values: Record<string, unknown>, language = 'en-US') =>
  user.error(mockCalls.saveFunctionDefaults, { deviceId, values }, { as: 'json', language });

const SUGGESTED = {
  level: 10,
  mode: 'eco',
  place: { x: 0, tags: [] },
  blink: { done: false },
  burnt: { hours: '5' },
};

describe('default values', () => {
  // Spec 7.124
  it("are the model's suggestions until they are saved, each with its function", async () => {
    expect(await valuesOf()).toEqual(SUGGESTED);
    expect(await savedOf()).toEqual([]);
    expect((await list()).map(({ functionId, functionType }) => [functionId, functionType])).toEqual([
      ['level', 1],
      ['mode', 1],
      ['place', 1],
      ['blink', 32],
      ['burnt', 22],
    ]);
    expect((await list())[3]).toMatchObject({
      deviceId,
      functionName: 'The blink',
      functionDefinition: { callType: 'sync' },
    });
  });

  // Spec 7.125
  it('are stored by form and by JSON; those not named stay', async () => {
    await save({ level: 77, blink: { done: true } });
    await save({ place: { x: 0.5, tags: ['a', 'b'] } }, 'form');
    const expected = { ...SUGGESTED, level: 77, blink: { done: true }, place: { x: 0.5, tags: ['a', 'b'] } };
    expect(await valuesOf()).toEqual(expected);
    expect(await savedOf()).toEqual(['level', 'place', 'blink']);
    expect((await mockDetails(hub, deviceId)).defaults).toEqual(expected);
  });

  it('that equal the suggestion are stored too, also empty and false', async () => {
    await save({ level: 10, blink: { done: false }, place: { x: 0, tags: [] } });
    expect(await savedOf()).toEqual(['level', 'place', 'blink']);
  });

  it('return to the suggestion by null, one by one', async () => {
    await save({ level: 77, mode: 'full' });
    await save({ level: null });
    expect(await valuesOf()).toEqual({ ...SUGGESTED, mode: 'full' });
    expect(await savedOf()).toEqual(['mode']);
    await save({ level: null, mode: null });
    expect(await savedOf()).toEqual([]);
  });

  it.each([
    ['a number that is too big', { level: 101 }, 'values.level'],
    ['a text for a number', { level: '77' }, 'values.level'],
    ['an unknown item', { mode: 'turbo' }, 'values.mode'],
    ['a wrong field deep inside', { place: { x: 0.5, tags: ['a', 'toolong'] } }, 'values.place.tags[1]'],
    ['a list that is too long', { place: { x: 0.5, tags: ['a', 'b', 'c', 'd'] } }, 'values.place.tags'],
    ['a missing field', { place: { x: 0.5 } }, 'values.place.tags'],
    ['a field too many', { blink: { done: true, twice: true } }, 'values.blink.twice'],
    ['a service’s output that is none', { blink: true }, 'values.blink'],
    ['an event’s long as a number', { burnt: { hours: 7 } }, 'values.burnt.hours'],
    ['an unknown sign code', { nothing: 1 }, 'values.nothing'],
    ['an unknown sign code that is to be forgotten', { nothing: null }, 'values.nothing'],
    ['a sign code that objects have of themselves', { constructor: 1 }, 'values.constructor'],
    ['a system service', { restart: { type: 1 } }, 'values.restart'],
  ])('are rejected with %s at its path, and nothing is changed', async (_what, wrong, field) => {
    await save({ level: 50 });
    const before = await hub.db.selectFrom('mock_device').selectAll().where('device_id', '=', deviceId).execute();
    const refusal = await refused({ mode: 'full', ...wrong });
    expect(refusal).toMatchObject({ statusCode: 400, code: 'BAD_INPUT' });
    expect(refusal.details?.map((detail) => detail.field)).toEqual([field]);
    expect(refusal.details?.[0]?.message).toMatch(/^[\x20-\x7e–’]+$/);
    expect((await refused(wrong, 'zh-CN')).details?.[0]?.message).toMatch(/[\u4e00-\u9fff]/);
    const after = await hub.db.selectFrom('mock_device').selectAll().where('device_id', '=', deviceId).execute();
    expect(after).toEqual(before);
    expect(await valuesOf()).toEqual({ ...SUGGESTED, level: 50 });
  });

  it('report all invalid values at once', async () => {
    const { details } = await refused({ level: 9, mode: 'x', blink: { done: 1 } });
    expect(details?.map(({ field }) => field)).toEqual(['values.level', 'values.mode', 'values.blink.done']);
  });
});

describe('default values after a change of the model', () => {
  it('follow the current model: removed functions are not listed, new ones are suggested', async () => {
    await save({ level: 77, mode: 'full' });
    await newModel([property('level', integer(10, 100)), property('colour', { type: 'string', length: 9 })]);
    expect(await valuesOf()).toEqual({ level: 77, colour: '' });
    expect((await mockDetails(hub, deviceId)).defaults).toEqual({ level: 77, colour: '' });
    // The next save forgets it: it is not back when the model has it again.
    await save({ colour: 'red' });
    await newModel(model);
    expect(await valuesOf()).toEqual({ ...SUGGESTED, level: 77 });
  });

  it("that no longer fit are replaced by the suggestion, and the device's reports are accepted", async () => {
    await save({ level: 77 });
    await newModel([property('level', integer(1, 20))]);
    expect(await valuesOf()).toEqual({ level: 1 });
    expect((await mockDetails(hub, deviceId)).defaults).toEqual({ level: 1 });
    expect(await savedOf()).toEqual([]);
  });
});

describe('defaults of another device than an own mock device', () => {
  it('are reported as not found by every call', async () => {
    const other = await hub.create.tenancy();
    const applicationId = await hub.create.application(other);
    const foreign = await hub.create.product(other, { applicationId });
    const created = await hub.admin.ok(mockCalls.createMockDevice, { deviceName: 'x', productId: foreign });
    const real = await hub.create.device({ productId: foreign, applicationId });
    for (const id of [created.deviceId, real, 'nobody']) {
      expect(await user.error(mockCalls.queryFunctionDefaults, { deviceId: id })).toMatchObject({
        statusCode: 404,
      });
      const sent = { deviceId: id, values: { power: true } };
      expect(await user.error(mockCalls.saveFunctionDefaults, sent)).toMatchObject({ statusCode: 404 });
    }
    expect(await hub.admin.error(mockCalls.queryFunctionDefaults, { deviceId: real })).toMatchObject({
      statusCode: 404,
    });
  });
});
