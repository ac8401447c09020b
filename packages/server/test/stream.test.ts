import { apiKeyCalls, deviceCalls, recordCalls, roleCalls, tenancyCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRow, logRow, messageRow } from './device-records.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { expectEvents, openStream } from './stream-fixtures.ts';

type Whose = { tenancyId: string; productId: string; deviceId: string };

let hub: Hub;
let user: TestUser;
let whose: Whose;

const makeDevice = async (tenancyId: string): Promise<Whose> => {
  const productId = await hub.create.product(tenancyId);
  const applicationId = await hub.create.application(tenancyId);
  return { tenancyId, productId, deviceId: await hub.create.device({ productId, applicationId }) };
};

beforeAll(async () => {
  hub = await startHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [501] });
  whose = await makeDevice(tenancyId);
});
afterAll(() => hub.close());

const open = (sent: Parameters<typeof openStream>[2], token = user.token) => openStream(hub.url, token, sent);
const insertConnect = (of: Whose, status: 1 | 2 | 3) => {
  const row = connectRow(of, status);
  return hub.records.insertInto('connect_record').values(row).execute();
};

describe('the stream of all devices', () => {
  it('sends connects and disconnects, of the own tenant, from now on', async () => {
    await insertConnect(whose, 1);
    const stream = await open({});
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await expect.poll(() => stream.blocks.length).toBe(1);
    expect(stream.blocks[0]).toMatch(/^retry: 2000\nid: [\d.]+$/);
    await insertConnect(await makeDevice(await hub.create.tenancy()), 1);
    await insertConnect(whose, 2);
    const told = { deviceId: whose.deviceId, online: 2, status: 2 };
    await expectEvents(stream).toMatchObject([['presence', told]]);
    stream.leave();
  });

  it('does not report a rejected login as a disconnect', async () => {
    const { deviceId } = whose;
    await hub.db.updateTable('device').set({ online: 1 }).where('device_id', '=', deviceId).execute();
    const stream = await open({});
    await expect.poll(() => stream.blocks.length).toBe(1);
    await insertConnect(whose, 3);
    await expectEvents(stream).toMatchObject([['presence', { deviceId, online: 1, status: 3 }]]);
    await hub.db.updateTable('device').set({ online: 2 }).where('device_id', '=', deviceId).execute();
    stream.leave();
  });
});

describe('the stream of one device', () => {
  const kinds = ['presence', 'message', 'log', 'value'] as const;
  const push = (real_time_push: 0 | 1) =>
    hub.db.updateTable('device').set({ real_time_push }).where('device_id', '=', whose.deviceId).execute();

  it('sends messages and values, and logs only while the switch is on', async () => {
    const { deviceId } = whose;
    await push(0);
    const stream = await open({ deviceId, kinds: [...kinds] });
    await expect.poll(() => stream.blocks.length).toBe(1);
    await hub.records.insertInto('device_log').values(logRow(whose, 'unseen')).execute();
    const message = messageRow(whose);
    const sample = {
      device_id: deviceId,
      sign_code: 'power',
      sample_time: 1,
      record_id: message.record_id,
      value: 'true',
    };
    await hub.records.insertInto('latest_value').values(sample).execute();
    await hub.records.insertInto('message_record').values(message).execute();
    await expect
      .poll(() =>
        stream
          .events()
          .map(({ event }) => event)
          .sort(),
      )
      .toEqual(['message', 'value']);
    await push(1);
    await hub.records.insertInto('device_log').values(logRow(whose, 'seen')).execute();
    await expect.poll(() => stream.events().length).toBe(3);
    expect(stream.events().at(-1)).toMatchObject({ event: 'log', data: { log: 'seen', levelName: 'INFO' } });
    stream.leave();
  });

  it('resumes without loss', async () => {
    const { deviceId } = whose;
    const first = await open({ deviceId, kinds: ['message'] });
    await expect.poll(() => first.blocks.length).toBe(1);
    await hub.records
      .insertInto('message_record')
      .values(messageRow(whose, { message_id: 1 }))
      .execute();
    await expect.poll(() => first.events().length).toBe(1);
    const [{ id: cursor } = { id: '' }] = first.events();
    first.leave();
    await hub.records
      .insertInto('message_record')
      .values(messageRow(whose, { message_id: 2 }))
      .execute();
    const second = await open({ deviceId, kinds: ['message'], cursor });
    await expectEvents(second).toMatchObject([['message', { messageId: '2' }]]);
    second.leave();
  });

  it('reports a gap after too many events at once, and continues', async () => {
    const { deviceId } = whose;
    const stream = await open({ deviceId, kinds: ['message'] });
    await expect.poll(() => stream.blocks.length).toBe(1);
    const many = Array.from({ length: 600 }, () => messageRow(whose));
    await hub.records.insertInto('message_record').values(many).execute();
    await expectEvents(stream).toEqual([['gap', { kind: 'message' }]]);
    await expect
      .poll(
        async () => {
          await hub.records
            .insertInto('message_record')
            .values(messageRow(whose, { message_id: 7 }))
            .execute();
          return stream.events().at(-1)?.data.messageId;
        },
        { interval: 300 },
      )
      .toBe('7');
    stream.leave();
  });

  it('of another tenant’s device is rejected in the envelope', async () => {
    const { deviceId } = await makeDevice(await hub.create.tenancy());
    const stream = await open({ deviceId, kinds: ['message'] });
    expect(stream.response.status).toBe(404);
    expect(stream.response.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('event streams', () => {
  it('of one user are twenty at most; a closed one frees a slot', async () => {
    const another = await hub.create.user({ tenancyId: user.tenancyId, menus: [501] });
    const streams = await Promise.all(Array.from({ length: 20 }, () => open({}, another.token)));
    expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    expect((await open({}, another.token)).response.status).toBe(429);
    streams[0]?.leave();
    await expect.poll(async () => (await open({}, another.token)).response.status).toBe(200);
    for (const stream of streams) stream.leave();
  });

  it('end with the hub, and do not delay its stop', async () => {
    const other = await startHub();
    const address = `${other.url}${recordCalls.streamDevices.path}`;
    const response = await fetch(address, { headers: { Authorization: other.admin.token } });
    const whole = response.text();
    await other.admin.ok(deviceCalls.queryDeviceList, {});
    const from = Date.now();
    await other.close();
    expect(await whole).toMatch(/^retry: 2000/);
    expect(Date.now() - from).toBeLessThan(20_000);
  });

  /** Opens a stream, revokes the permission, and waits for its end. */
  const expectEnd = async (token: string, sent: Parameters<typeof openStream>[2], takeAway: () => Promise<unknown>) => {
    const stream = await open(sent, token);
    await expect.poll(() => stream.blocks.length).toBe(1);
    await takeAway();
    await stream.ended;
    expect((await open(sent, token)).response.status).not.toBe(200);
  };
  const newUser = (menus = [501]) => hub.create.user({ tenancyId: user.tenancyId, menus });
  const giveMenus = (roleId: string, menus: number[]) =>
    hub.admin.ok(roleCalls.updateRole, { roleId, roleName: unique('role'), menus });

  it('end with the session', async () => {
    const another = await newUser();
    const endSession = () => hub.db.deleteFrom('session').where('user_id', '=', another.userId).execute();
    await expectEnd(another.token, {}, endSession);
  });

  it('end when the role loses its menus, also those of one kind or device', async () => {
    const { deviceId } = whose;
    const watcher = await newUser([501]);
    await expectEnd(watcher.token, {}, () => giveMenus(watcher.roleId, [302]));
    const upgrades = await newUser([1, 602]);
    await expectEnd(upgrades.token, { kinds: ['upgrade'] }, () => giveMenus(upgrades.roleId, [1]));
    const home = await newUser([1, 501]);
    await expectEnd(home.token, { deviceId }, () => giveMenus(home.roleId, [1]));
  });

  it('end when the tenant is disabled, or the device deleted', async () => {
    const tenancyId = await hub.create.tenancy();
    const theirs = await hub.create.user({ tenancyId, menus: [501] });
    const { deviceId } = await makeDevice(tenancyId);
    await expectEnd(theirs.token, { deviceId }, () =>
      hub.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] }),
    );
    await expectEnd(theirs.token, {}, () => hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 }));
  });

  it('do not extend an idle session', async () => {
    const watcher = await newUser();
    const session = () => hub.db.selectFrom('session').select('last_used_at').where('user_id', '=', watcher.userId);
    const stream = await open({}, watcher.token);
    await expect.poll(() => stream.blocks.length).toBe(1);
    const hourAgo = Date.now() - 3_600_000;
    await hub.db.updateTable('session').set({ last_used_at: hourAgo }).where('user_id', '=', watcher.userId).execute();
    // Its end shows that it was checked since.
    await giveMenus(watcher.roleId, [302]);
    await stream.ended;
    expect((await session().executeTakeFirstOrThrow()).last_used_at).toBe(hourAgo);
  });

  it('of an API key continue, and end when it is revoked', { timeout: 40_000 }, async () => {
    const role = await hub.create.role(user.tenancyId, [501]);
    const sent = { keyName: unique('key'), roleId: role, tenancyId: user.tenancyId };
    const { key, keyId } = await hub.admin.ok(apiKeyCalls.addApiKey, sent);
    const stream = await open({}, key);
    await expect.poll(() => stream.blocks.at(-1), { timeout: 20_000 }).toBe(': ping');
    stream.leave();
    await expectEnd(key, {}, () => hub.admin.ok(apiKeyCalls.revokeApiKey, { keyId }));
  });
});
