import {
  applicationCalls,
  controlCalls,
  deviceCalls,
  type ModelFunction,
  modelCalls,
  tenancyCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextSequenceId } from '../src/platform/ids.ts';
import { connectCode, expectLatestEvent, logInWithoutConnecting, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { event, integer, param, property, service } from './functions.ts';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { loginFields, type RawDevice, tryLogin } from './raw-device.ts';

let hub: Hub;
let user: TestUser;
let place: ProductFixture;
let device: RawDevice;

beforeAll(async () => {
  hub = await sharedHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [501, 503, 302] });
  place = await createProductFixture(hub, { inheritFunctions: 0 }, tenancyId);
  const functions: ModelFunction[] = [
    property('level', integer(0, 10)),
    { ...property('seen'), functionDefinition: { accessMode: 'r', dataType: integer(0, 10) } },
    { ...property('secretWord'), functionDefinition: { accessMode: 'w', dataType: { type: 'string', length: 5 } } },
    service('blink', [param('times', integer(1, 5))], [param('done', { type: 'boolean' })]),
    event('burnt'),
  ];
  await hub.admin.ok(modelCalls.addProductFunctions, {
    productId: place.productId,
    functions,
  });
  device = await connectNewDevice(hub, place);
});
afterAll(async () => {
  await device?.end();
  await hub.close();
});

const command = (functionId: string, more: object = {}) => ({ deviceId: device.deviceId, functionId, ...more });
const newest = () => device.received.filter(({ dataFlow }) => dataFlow === 0).at(-1);

describe('commandDeviceFunction', () => {
  // Spec 1.9, 7.87
  it('sends the command by the model, waits for the answer, and stores it', async () => {
    await expectOnline(hub, device.deviceId, 1);
    const asked = user.ok(controlCalls.commandDeviceFunction, command('blink', { functionValue: '{"times":3}' }));
    const request = await device.next(({ dataFlow, type }) => dataFlow === 0 && type === 4);
    expect(JSON.parse(request.payload)).toEqual({ service: 'blink', input: { times: 3 } });
    await device.respond(request, 200, { output: { done: true } });
    const answer = await asked;
    expect(answer).toMatchObject({
      messageId: request.dataId,
      status: 'answered',
      code: 200,
      output: { done: true },
    });
    expect(answer.costMs).toBeGreaterThanOrEqual(0);
    const { list } = await user.ok(controlCalls.getDeviceCommands, { deviceId: device.deviceId, pageSize: 1 });
    expect(list).toMatchObject([
      { ...answer, functionId: 'blink', functionType: 32, creator: user.username, value: request.payload },
    ]);
  });

  it('reads a property', async () => {
    const asked = user.ok(controlCalls.commandDeviceFunction, command('seen', { read: 1 }));
    const request = await device.next(({ dataFlow, payload }) => dataFlow === 0 && payload.includes('get'));
    expect(JSON.parse(request.payload)).toEqual({ get: ['seen'] });
    await device.respond(request, 200, { properties: { seen: 7 } });
    expect(await asked).toMatchObject({ status: 'answered', output: { seen: 7 } });
  });

  it.each([
    ['blink', { functionValue: '{"times":9,"x":1}' }, ['functionValue.times', 'functionValue.x']],
    ['blink', {}, ['functionValue.times']],
    ['level', { functionValue: '11' }, ['functionValue']],
    ['level', { functionValue: 'not json' }, ['functionValue']],
    ['logLevel', { functionValue: '{"logLevel":1}' }, ['functionValue.logLevel']],
  ])('rejects %s with %o at %o, and sends nothing', async (functionId, more, fields) => {
    const before = newest();
    const refusal = await user.error(controlCalls.commandDeviceFunction, command(functionId, more));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'BAD_INPUT' });
    expect(refusal.details?.map(({ field }) => field)).toEqual(fields);
    expect(newest()).toBe(before);
  });

  it.each([
    ['seen', { functionValue: '1' }, 409, 'FUNCTION_NOT_WRITABLE'],
    ['secretWord', { read: 1 }, 409, 'FUNCTION_NOT_READABLE'],
    ['blink', { read: 1 }, 409, 'FUNCTION_NOT_READABLE'],
    ['burnt', { functionValue: '{}' }, 409, 'FUNCTION_NOT_CALLABLE'],
    ['nothing', { functionValue: '1' }, 404, 'FUNCTION_NOT_FOUND'],
    ['kick', { functionValue: '{}' }, 404, 'FUNCTION_NOT_FOUND'],
  ])('rejects %s with %o: %i %s', async (functionId, more, statusCode, code) => {
    const refusal = await user.error(controlCalls.commandDeviceFunction, command(functionId, more));
    expect(refusal).toMatchObject({ statusCode, code });
  });

  it('times out without an answer, and fails when the device rejects it', async () => {
    const late = await user.error(
      controlCalls.commandDeviceFunction,
      command('level', { functionValue: 1, timeout: 1_000 }),
    );
    expect(late).toMatchObject({
      statusCode: 504,
      code: 'DEVICE_TIMEOUT',
      message: 'The device did not respond in time',
      data: { messageId: newest()?.dataId, status: 'timedOut', code: 0, output: null },
    });
    expect(late.data?.costMs).toBeGreaterThanOrEqual(1_000);
    const asked = user.error(controlCalls.commandDeviceFunction, command('level', { functionValue: 2 }));
    const request = await device.next(({ dataFlow, payload }) => dataFlow === 0 && payload.includes('"level":2'));
    await device.respond(request, 60002, {});
    expect(await asked).toMatchObject({
      statusCode: 409,
      code: 'DEVICE_REFUSED',
      message: 'The device rejected the command: 60002 The device is busy',
      data: { messageId: request.dataId, status: 'failed', code: 60002, message: 'The device is busy' },
    });
  });

  // Spec 4.16, 7.76, 8.18
  it('rejects a device that is offline or does not exist', async () => {
    const { deviceId } = await user.ok(deviceCalls.addDevice, {
      deviceId: `off-${device.deviceId}`,
      productId: place.productId,
    });
    const refusal = await user.error(controlCalls.reboot, { deviceId });
    expect(refusal).toMatchObject({
      statusCode: 409,
      code: 'DEVICE_OFFLINE',
      message: 'Device not online, not available',
    });
    expect(await user.error(controlCalls.reboot, { deviceId: 'nobody' })).toMatchObject({
      code: 'DEVICE_NOT_FOUND',
    });
    expect((await user.ok(controlCalls.getDeviceCommands, { deviceId })).total).toBe(0);
  });

  it('rejects a command while a hundred are unanswered', async () => {
    const { deviceId } = device;
    const row = {
      device_id: deviceId,
      tenancy_id: place.tenancyId,
      via_id: deviceId,
      message_type: 4,
      function_type: 31,
    };
    const rest = { function_id: 'x', payload: '{}', state: 'sent' as const, code: 0, message: '', creator: '' };
    const times = { created_at: 1, sent_at: 1, answered_at: 0, deadline: Date.now() + 60_000 };
    const rows = Array.from({ length: 100 }, () => ({ command_id: nextSequenceId(), ...row, ...rest, ...times }));
    await hub.db.insertInto('device_command').values(rows).execute();
    const before = newest();
    expect(await user.error(controlCalls.reboot, { deviceId })).toMatchObject({ code: 'COMMANDS_TOO_MANY' });
    expect(newest()).toBe(before);
    await hub.db.deleteFrom('device_command').where('function_id', '=', 'x').execute();
  });
});

describe('login restrictions', () => {
  const wrong = async (who: RawDevice) => (await tryLogin(hub.url, loginFields(who))).code;

  // Spec 1.12, 4.21-4.23, 7.78
  it('kickOut disconnects, with days also rejects logins, until it is released', async () => {
    const kicked = await connectNewDevice(hub, place);
    const { deviceId } = kicked;
    await user.ok(controlCalls.kickOut, { deviceId, op: 1, until: '' });
    await waitForClose(kicked);
    await expectLatestEvent(hub, deviceId, 2, 'kicked');
    expect(await connectCode(kicked.bucket)).toBe(4);
    const { bucket } = await logInWithoutConnecting(hub, kicked);
    await user.ok(controlCalls.kickOut, { deviceId, op: 1, until: 2 });
    expect(await wrong(kicked)).toBe('KICKED');
    expect(await connectCode(bucket)).toBe(5);
    const { kickedUntil } = await user.ok(deviceCalls.getDeviceDetails, { deviceId });
    expect(Math.round((Date.parse(kickedUntil) - Date.now()) / 86_400_000)).toBe(2);
    await user.ok(controlCalls.kickOut, { deviceId, op: 0 });
    expect(await connectCode(bucket)).toBe(4);
    expect(await wrong(kicked)).toBeUndefined();
  });

  // Spec 1.11, 4.19, 7.77, 7.91
  it('markBlack disconnects and revokes tokens, all or none, and lists the devices', async () => {
    const listed = await connectNewDevice(hub, place);
    const { deviceId } = listed;
    const { bucket } = await logInWithoutConnecting(hub, listed);
    const both = { idList: [deviceId, 'nobody'], op: 1 as const, reason: 'stolen' };
    expect(await user.error(controlCalls.markBlack, both)).toMatchObject({
      statusCode: 404,
      code: 'DEVICE_NOT_FOUND',
    });
    expect((await user.ok(controlCalls.blackList, { deviceId })).total).toBe(0);
    await user.ok(controlCalls.markBlack, { ...both, idList: [deviceId] });
    await waitForClose(listed);
    const { list } = await user.ok(controlCalls.blackList, { deviceId });
    expect(list).toMatchObject([{ deviceId, blackReason: 'stolen', blackBy: user.username, blacklisted: 1 }]);
    expect(await wrong(listed)).toBe('BLACKLISTED');
    await user.ok(controlCalls.markBlack, { idList: [deviceId], op: 0 });
    expect((await user.ok(controlCalls.blackList, { deviceId })).total).toBe(0);
    // The token ended with the listing, and does not come back.
    expect(await connectCode(bucket)).toBe(4);
    expect(await wrong(listed)).toBeUndefined();
  });

  // Spec 4.2, 7.86
  it('disabling an application disconnects its devices and those that move into it', async () => {
    const applicationId = await hub.create.application(place.tenancyId);
    const [inside, outside] = [await connectNewDevice(hub, place), await connectNewDevice(hub, place)];
    await user.ok(controlCalls.configApplication, { deviceId: inside.deviceId, applicationId });
    await user.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 });
    await waitForClose(inside);
    await expectLatestEvent(hub, inside.deviceId, 2, 'applicationDisabled');
    expect(await wrong(inside)).toBe('APPLICATION_DISABLED');
    expect(outside.client.connected).toBe(true);
    await user.ok(controlCalls.configApplication, { deviceId: outside.deviceId, applicationId });
    await waitForClose(outside);
    expect(await wrong(outside)).toBe('APPLICATION_DISABLED');
  });

  it('disabling a tenant disconnects its devices and revokes their tokens', async () => {
    const tenancyId = await hub.create.tenancy();
    const own = await createProductFixture(hub, {}, tenancyId);
    const alive = await connectNewDevice(hub, own);
    await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 });
    await waitForClose(alive);
    await expectLatestEvent(hub, alive.deviceId, 2, 'tenancyClosed');
    expect(['TENANCY_CLOSED', 'APPLICATION_DISABLED']).toContain(await wrong(alive));
    const sessions = await hub.db
      .selectFrom('device_session')
      .select('ended')
      .where('device_id', '=', alive.deviceId)
      .execute();
    expect(sessions.every(({ ended }) => ended === 1)).toBe(true);
    expect(device.client.connected).toBe(true);
  });
});
