import { allCalls, personalCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNewDevice, createProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await sharedHub();
});
afterAll(() => hub.close());

const known = new Set([
  ...allCalls.map(({ slice, name }) => `${slice}.${name}`),
  ...['Options', 'Begin', 'State', 'Piece', 'End'].map((step) => `firmware.upload${step}`),
]);

describe('the metrics, which need no token', () => {
  it('have labels of calls, and none from callers, tenants or devices', async () => {
    const tenancyId = await hub.create.tenancy();
    const user = await hub.create.user({ tenancyId });
    const fixture = await createProductFixture(hub, {}, tenancyId);
    const device = await connectNewDevice(hub, fixture);
    const stray = unique('stray');
    await user.call(personalCalls.getPersonalMessage, {});
    for (const path of [`/${stray}`, `/iot-hub/admin/${stray}`, `${personalCalls.getUserHead.path}?pictureId=${stray}`])
      await fetch(hub.url + path, { headers: { Authorization: user.token } });
    const text = await (await fetch(`${hub.url}/metrics`)).text();
    await device.end();
    const secrets = [tenancyId, user.userId, user.username, user.email, user.token, stray, fixture.productId];
    for (const word of [...secrets, fixture.productSecret, device.deviceId, device.answer.token])
      expect(text).not.toContain(word);
    const labels = [...text.matchAll(/call="([^"]*)"/g)].map(([, call]) => call);
    expect(labels).toContain('personal.getPersonalMessage');
    expect(labels.filter((call) => !known.has(call ?? ''))).toEqual([]);
  });
});
