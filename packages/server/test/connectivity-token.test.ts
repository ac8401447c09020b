import { setTimeout as pause } from 'node:timers/promises';
import { recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, connectCode, expectLatestEvent, upRecords, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { getBucket, login, type RawDevice } from './raw-device.ts';

let hub: Hub;
let fixture: ProductFixture;
beforeAll(async () => {
  hub = await startHub({ DEVICE_TOKEN_LIFE: '3s' });
  fixture = await createProductFixture(hub);
});
afterAll(() => hub.close());

const REFUSED_TOKEN = 4;
const power = { type: 2, payload: { properties: { power: true } } };

const refresh = async (device: RawDevice, token?: string): Promise<string> => {
  const answer = await device.ask({ type: 9, payload: {}, ...(token ? { token } : {}) });
  expect(answer.code).toBe(200);
  const { token: next, expireIn } = JSON.parse(answer.payload) as { token: string; expireIn: number };
  expect(expireIn).toBe(3);
  return next;
};

describe('the expiry of a token', () => {
  it('ends the connection and the token', async () => {
    const device = await connectNewDevice(hub, fixture);
    expect(device.answer.expireIn).toBe(3);
    await waitForClose(device);
    await expectLatestEvent(hub, device.deviceId, 2, 'tokenExpired');
    await expectOnline(hub, device.deviceId, 2);
    expect(await connectCode(device.bucket)).toBe(REFUSED_TOKEN);
    await expect(getBucket(hub.url, device.answer.token)).rejects.toThrow('TOKEN_EXPIRED');
  });

  // Spec 4.58
  it('is moved by a refresh; the new token is valid, the old one for a while', async () => {
    const device = await connectNewDevice(hub, fixture);
    const before = Date.now();
    const token = await refresh(device);
    expect(token).not.toBe(device.answer.token);
    await device.send({ ...power, token });
    await device.send({ ...power, token: device.answer.token });
    expect(await upRecords(hub, device.deviceId)).toHaveLength(3);
    const newest = await refresh(device, token);
    // Two refreshes ago is no token any more.
    expect((await device.ask({ ...power, token: device.answer.token })).code).toBe(40101);
    await device.send({ ...power, token });
    expect((await upRecords(hub, device.deviceId)).map((row) => row.code)).toEqual([200, 200, 200, 200, 200]);
    await waitForClose(device);
    expect(Date.now() - before).toBeGreaterThan(3_000);
    expect(await connectCode({ ...device.bucket, password: newest })).toBe(REFUSED_TOKEN);
  });

  it('never occurs with regular refreshes', async () => {
    const device = await connectNewDevice(hub, fixture);
    const until = Date.now() + 5_000;
    let token: string | undefined;
    while (Date.now() < until) {
      token = await refresh(device, token);
      // Ten in a row within each life of a token; without a pause it would be thousands.
      await pause(300);
    }
    expect(device.client.connected).toBe(true);
    await device.send({ ...power, token: token ?? '' });
    await device.end();
    await expectLatestEvent(hub, device.deviceId, 2, 'byDevice');
  });

  it('keeps the session: an earlier message counts under it after the refresh', async () => {
    const device = await connectNewDevice(hub, fixture);
    const first = await device.send(power);
    const token = await refresh(device);
    await device.publish(device.seal({ ...power, dataId: first.dataId, timestamp: first.timestamp, token }));
    expect((await upRecords(hub, device.deviceId)).filter((row) => row.message_type === 2)).toHaveLength(1);
    await device.end();
  });
});

describe('a token refresh', () => {
  it('is rejected after another login has ended the session', async () => {
    const device = await connectNewDevice(hub, fixture);
    await login(hub.url, device);
    expect((await ask(device, { type: 9, payload: {} })).code).toBe(40101);
    await device.end(true);
  });

  it('keeps the old token valid for CONNECT for 60 s', async () => {
    const device = await connectNewDevice(hub, fixture);
    await refresh(device);
    await device.end();
    const session = hub.db.updateTable('device_session').where('device_id', '=', device.deviceId);
    const [row] = await hub.db
      .selectFrom('device_session')
      .selectAll()
      .where('device_id', '=', device.deviceId)
      .execute();
    expect(Math.abs((row?.old_expires_at ?? 0) - Date.now() - 60_000)).toBeLessThan(10_000);
    await session.set({ expires_at: Date.now() + 60_000 }).execute();
    expect(await connectCode(device.bucket)).toBe(0);
    await session.set({ old_expires_at: Date.now() - 1 }).execute();
    expect(await connectCode(device.bucket)).toBe(REFUSED_TOKEN);
  });

  it('leaves no token in any record', async () => {
    const device = await connectNewDevice(hub, fixture);
    const token = await refresh(device);
    const { deviceId } = device;
    const recorded = async () => (await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId })).list;
    await expect.poll(async () => (await recorded()).map(({ type }) => type)).toEqual([9, 9]);
    const everything = JSON.stringify(await recorded());
    for (const secret of [token, device.answer.token, device.secret]) expect(everything).not.toContain(secret);
    await device.end();
  });

  it('is rejected with unknown fields', async () => {
    const device = await connectNewDevice(hub, fixture);
    expect((await device.ask({ type: 9, payload: { life: 99 } })).code).toBe(40001);
    await waitForClose(device);
    await expectLatestEvent(hub, device.deviceId, 2, 'tokenExpired');
  });
});
