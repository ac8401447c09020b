import { allCalls, homeCalls, mayUse, type Sent } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import type { Hub, TestUser } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import type { RawDevice } from './raw-device.ts';
import { expectEvents, type OpenedStream, openStartedStream, openStream } from './stream-fixtures.ts';

let hub: Hub;
let user: TestUser;
let fixture: ProductFixture;
let theirs: ProductFixture;
let device: RawDevice;
let foreign: RawDevice;

beforeAll(async () => {
  hub = await startHub();
  const tenancyId = await hub.create.tenancy();
  // The home page's menu, and no other.
  user = await hub.create.user({ tenancyId, menus: [1] });
  fixture = await createProductFixture(hub, {}, tenancyId);
  theirs = await createProductFixture(hub, {}, await hub.create.tenancy());
  [device, foreign] = [await connectNewDevice(hub, fixture), await connectNewDevice(hub, theirs)];
});
afterAll(async () => {
  await Promise.all([device.end(), foreign.end()]);
  await hub.close();
});

const open = (sent: Parameters<typeof openStream>[2], token = user.token) => openStartedStream(hub.url, token, sent);
const burn = (of: RawDevice, reason: string) =>
  of.send({ type: 3, payload: { event: 'lampFault', output: { reason } } });

const countOf = (stream: OpenedStream) => stream.events().findLast(({ event }) => event === 'count')?.data;
const valuesOf = (stream: OpenedStream) =>
  stream.events().flatMap(({ event, data }) => (event === 'event' ? [JSON.parse(String(data.value)).reason] : []));

describe('events of all devices', () => {
  it("have the model's names, for the own tenant, from now on", async () => {
    await burn(device, 'heat');
    const stream = await open({ kinds: ['event'] });
    await burn(foreign, 'heat');
    await burn(device, 'open');
    await expectEvents(stream).toMatchObject([
      [
        'event',
        {
          deviceId: device.deviceId,
          deviceName: device.deviceId,
          event: 'lampFault',
          eventName: 'Lamp fault',
          eventType: 'alarm',
        },
      ],
    ]);
    const data = stream.events()[0]?.data ?? {};
    expect(JSON.parse(String(data.value))).toEqual({ reason: 'open' });
    expect(Math.abs(Date.parse(String(data.time)) - Date.now())).toBeLessThan(60_000);
    expect(data.productName).toMatch(/^product/);
    stream.leave();
  });

  it('of all tenants go to the platform operator, or those of the tenant that is named', async () => {
    const [all, one] = [
      await open({ kinds: ['event'] }, hub.admin.token),
      await open({ kinds: ['event'], tenancyId: theirs.tenancyId }, hub.admin.token),
    ];
    await burn(device, 'heat');
    await burn(foreign, 'open');
    await expect.poll(() => valuesOf(all).sort()).toEqual(['heat', 'open']);
    await expect.poll(() => valuesOf(one)).toEqual(['open']);
    for (const stream of [all, one]) stream.leave();
  });

  it('are delivered once after a reconnect of the browser', async () => {
    const first = await open({ kinds: ['presence', 'event'] });
    await burn(device, 'heat');
    await expect.poll(() => valuesOf(first)).toEqual(['heat']);
    const cursor = first.cursor();
    first.leave();
    await burn(device, 'open');
    await burn(device, 'short');
    const second = await open({ kinds: ['presence', 'event'], cursor });
    await expect.poll(() => valuesOf(second)).toEqual(['open', 'short']);
    second.leave();
  });

  it('start with the last ones on request, within the limit', async () => {
    const guest = await connectNewDevice(hub, fixture);
    for (const reason of ['heat', 'open', 'short']) await burn(device, reason);
    await burn(foreign, 'heat');
    const asked = { kinds: ['presence', 'event'], latest: 3 } as const;
    const three = await open({ ...asked, kinds: [...asked.kinds] });
    await expect.poll(() => valuesOf(three)).toEqual(['heat', 'open', 'short']);
    await burn(device, 'heat');
    await expect.poll(() => valuesOf(three)).toEqual(['heat', 'open', 'short', 'heat']);
    expect(three.events().filter(({ event }) => event === 'presence')).toEqual([]);
    const five = await open({ ...asked, kinds: [...asked.kinds], latest: 5 });
    await expect.poll(() => valuesOf(five)).toEqual(['heat', 'open', 'short', 'heat']);
    const came = five.events().filter(({ event }) => event === 'presence');
    expect(came).toMatchObject([{ data: { deviceId: guest.deviceId, online: 1 } }]);
    for (const stream of [three, five]) stream.leave();
    await guest.end();
  });

  it('start now with a cursor of four parts, which continues for the known parts', async () => {
    const first = await open({ kinds: ['presence'] });
    const cursor = first.cursor().split('.').slice(0, 4).join('.');
    first.leave();
    await burn(device, 'heat');
    const guest = await connectNewDevice(hub, fixture);
    await expectOnline(hub, guest.deviceId, 1);
    const second = await open({ kinds: ['presence', 'event'], cursor });
    await expectEvents(second).toMatchObject([['presence', { deviceId: guest.deviceId, online: 1 }]]);
    await burn(device, 'open');
    await expect.poll(() => valuesOf(second)).toEqual(['open']);
    second.leave();
    await guest.end();
  });

  it('show the sign code when the model has no such event any more', async () => {
    const stream = await open({ kinds: ['event'] });
    const renamed = hub.db.updateTable('product_function').where('product_id', '=', fixture.productId);
    await renamed.set({ sign_code: 'other' }).where('sign_code', '=', 'lampFault').execute();
    await burn(device, 'heat');
    await expectEvents(stream).toMatchObject([
      ['event', { event: 'lampFault', eventName: 'lampFault', eventType: 'info' }],
    ]);
    await renamed.set({ sign_code: 'lampFault' }).where('sign_code', '=', 'other').execute();
    stream.leave();
  });
});

describe('counts in the stream', () => {
  it('are sent at once, and whenever they change', async () => {
    const stream = await open({ kinds: ['count'] });
    await expect.poll(() => stream.events().length).toBe(1);
    const before = countOf(stream) as { deviceCount: number; onlineCount: number };
    expect(before).toEqual(await user.ok(homeCalls.getSystemDeviceCurrentCount, {}));
    const guest = await connectNewDevice(hub, fixture);
    const expected = { deviceCount: before.deviceCount + 1, onlineCount: before.onlineCount + 1 };
    await expect.poll(() => countOf(stream), { timeout: 20_000 }).toMatchObject(expected);
    await guest.end();
    await expect.poll(() => countOf(stream), { timeout: 20_000 }).toMatchObject({ onlineCount: before.onlineCount });
    stream.leave();
  });

  it('are sent again after a reconnect with a cursor', async () => {
    const first = await open({ kinds: ['count', 'event'] });
    await expect.poll(() => countOf(first)).toBeDefined();
    const cursor = first.cursor();
    first.leave();
    const second = await open({ kinds: ['count', 'event'], cursor });
    await expect.poll(() => countOf(second)).toMatchObject({ deviceCount: expect.any(Number) });
    second.leave();
  });
});

describe('the stream of another tenant', () => {
  it('contains no data, and no counts', async () => {
    const kinds = ['presence', 'event', 'count'] as const;
    const stream = await open({ kinds: [...kinds], tenancyId: theirs.tenancyId });
    const own = await open({ kinds: [...kinds] });
    await Promise.all([burn(device, 'heat'), burn(foreign, 'heat')]);
    const guest = await connectNewDevice(hub, theirs);
    const known = await connectNewDevice(hub, fixture);
    // As soon as one's own stream has it, the other has had its time.
    await expect.poll(() => own.events().map(({ event }) => event), { timeout: 20_000 }).toContain('presence');
    await expect.poll(() => valuesOf(own), { timeout: 20_000 }).toEqual(['heat']);
    const told = stream.events();
    expect(told.map(({ event }) => event)).toEqual(['count']);
    expect(told[0]?.data).toMatchObject({ deviceCount: 0, messageCount: 0, connectedCount: 0, onlineCount: 0 });
    for (const open of [stream, own]) open.leave();
    await Promise.all([guest.end(), known.end()]);
  });
});

describe('a role with only the home page', () => {
  it('can watch a fleet, but no single device', async () => {
    const { deviceId } = device;
    const stream = await openStream(hub.url, user.token, { deviceId, kinds: ['message', 'value', 'log'] });
    expect(stream.response.status).toBe(403);
    const fleet = await open({ kinds: ['message', 'value', 'log', 'presence'] });
    await device.send({ type: 2, payload: { properties: { power: true } } });
    const guest = await connectNewDevice(hub, fixture);
    await expectEvents(fleet).toMatchObject([['presence', { deviceId: guest.deviceId }]]);
    fleet.leave();
    await guest.end();
  });

  it('can read the home page, and nothing else', async () => {
    const menus = new Set([1]);
    const permitted = allCalls.flatMap(({ slice, name, call }) =>
      call.access === 'public' || call.access === 'signed-in' ? [] : [{ slice, name, call, access: call.access }],
    );
    const open = permitted.filter(({ access }) => mayUse(access, menus));
    expect(open.map(({ slice, name }) => `${slice}.${name}`).sort()).toEqual(
      [...Object.keys(homeCalls).map((name) => `home.${name}`), 'record.streamDevices'].sort(),
    );
    for (const { call, access } of permitted) {
      const answer = await user.send(call, {} satisfies Sent<typeof homeCalls.getAttentionList>);
      expect(answer.success || answer.code !== 'FORBIDDEN', call.path).toBe(mayUse(access, menus));
    }
  });
});
