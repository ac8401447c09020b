import { homeCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quarterHourOf } from '../src/records/batch.ts';
import type { Client } from './client.ts';
import { expectLatestEvent } from './connectivity-fixtures.ts';
import { connectNewDevice, expectOnline } from './device-fixtures.ts';
import { connectRow } from './device-records.ts';
import { describeOnEachEngine } from './engine.ts';
import { createHomeTenant, DAY, fleetCounts, HOUR, insertCounters, noon, setDevice } from './home-fixtures.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { loginFields, tryLogin } from './raw-device.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());

  describe('home page scope', () => {
    it('shows the own tenant’s counts; a platform operator’s are those of all tenants, or of the one that is named', async () => {
      const quarter = quarterHourOf(Date.now());
      const [mine, theirs] = [await createHomeTenant(hub), await createHomeTenant(hub)];
      const device = await connectNewDevice(hub, mine.fixture);
      await insertCounters(hub, [
        { tenancyId: mine.tenancyId, quarter, messages: 5, accesses: 2 },
        { tenancyId: theirs.tenancyId, quarter, messages: 70, accesses: 30 },
        { tenancyId: theirs.tenancyId, quarter, messages: 700, accesses: 300, hubNo: 901 },
      ]);
      const figures = async (client: Client, sent: { tenancyId?: string } = {}) => {
        const asked = { timezone: noon().timezone, ...sent };
        const [days, months, now] = [
          await client.ok(homeCalls.getDayDeviceMessageCount, asked),
          await client.ok(homeCalls.getMonthDeviceAccessCount, asked),
          await fleetCounts(client, sent),
        ];
        const { products } = await client.ok(homeCalls.getDeviceDistribution, asked);
        return {
          messages: [days.at(-1)?.count, now.messageCount, now.today.messageCount],
          accesses: [months.reduce((sum, { count }) => sum + count, 0), now.today.accessCount],
          devices: [now.deviceCount, products.reduce((sum, { devices }) => sum + devices, 0)],
        };
      };
      const own = { messages: [5, 5, 5], accesses: [3, 3], devices: [1, 1] };
      const others = { messages: [770, 770, 770], accesses: [330, 330], devices: [0, 0] };
      await expect.poll(() => figures(mine.user), { timeout: 20_000 }).toEqual(own);
      expect(await figures(mine.user, { tenancyId: mine.tenancyId })).toEqual(own);
      expect(await figures(theirs.user)).toEqual(others);
      expect(await figures(hub.admin, { tenancyId: mine.tenancyId })).toEqual(own);
      expect(await figures(hub.admin, { tenancyId: theirs.tenancyId })).toEqual(others);
      expect(await figures(hub.admin)).toEqual({ messages: [775, 775, 775], accesses: [333, 333], devices: [1, 1] });
      const none = { messages: [0, 0, 0], accesses: [0, 0], devices: [0, 0] };
      for (const tenancyId of [theirs.tenancyId, 'nobody', '1'])
        expect(await figures(mine.user, { tenancyId })).toEqual(none);
      await device.end();
    });

    it('shows a demo fleet as demo data to every reader', async () => {
      const [mine, theirs] = [await createHomeTenant(hub), await createHomeTenant(hub)];
      await hub.db.updateTable('tenancy').set({ demo: 1 }).where('tenancy_id', '=', theirs.tenancyId).execute();
      expect((await fleetCounts(mine.user)).demonstration).toBe(0);
      expect((await fleetCounts(theirs.user)).demonstration).toBe(1);
      await expect.poll(async () => (await fleetCounts(hub.admin)).demonstration).toBe(1);
      expect((await fleetCounts(hub.admin, { tenancyId: mine.tenancyId })).demonstration).toBe(0);
    });
  });

  describe('getDeviceDistribution', () => {
    it('counts each device in one state, the one with the highest priority', async () => {
      const { user, fixture } = await createHomeTenant(hub);
      const { productId, applicationId } = fixture;
      const make = async (values: object) => {
        const deviceId = await hub.create.device({ productId, applicationId });
        await setDevice(hub, deviceId, values);
      };
      const past = { first_connect_at: 1 };
      await make({ first_connect_at: 0 });
      await make(past);
      await make({ ...past, kicked_until: Date.now() - HOUR });
      await make({ ...past, kicked_until: Date.now() + HOUR });
      await make({ kicked_until: Date.now() + HOUR });
      await make({ blacklisted: 1 });
      await make({ ...past, blacklisted: 1, kicked_until: Date.now() + HOUR });
      await make({ ...past, online: 1 });
      await make({ ...past, online: 1, kicked_until: Date.now() + HOUR });
      await make({ ...past, online: 1, blacklisted: 1 });
      const { states, products, others } = await user.ok(homeCalls.getDeviceDistribution, {});
      expect(states).toEqual({ online: 3, offline: 2, never: 1, blacklisted: 2, kicked: 2 });
      expect(products).toMatchObject([{ productId, devices: 10, online: 3 }]);
      expect(products[0]?.productName).toMatch(/^product/);
      expect(others).toEqual({ products: 0, devices: 0, online: 0 });
    });

    it('lists the eight products with the most devices, and the rest together', async () => {
      const { user, tenancyId, fixture } = await createHomeTenant(hub);
      const { applicationId } = fixture;
      const sizes: [string, number][] = [];
      for (let number = 1; number <= 10; number++) {
        const productId = await hub.create.product(tenancyId);
        const devices = number < 3 ? number : 3 + (number % 2);
        sizes.push([productId, devices]);
        for (let created = 0; created < devices; created++)
          await hub.create.device({ productId, applicationId, online: created === 0 ? 1 : 2 });
      }
      const { products, others, states } = await user.ok(homeCalls.getDeviceDistribution, {});
      expect(products).toHaveLength(8);
      const shown = products.map(({ devices }) => devices);
      expect(shown).toEqual([4, 4, 4, 4, 3, 3, 3, 3]);
      expect(others).toEqual({ products: 2, devices: 3, online: 2 });
      for (const { productId, devices, online } of products) {
        expect(sizes).toContainEqual([productId, devices]);
        expect(online).toBe(1);
      }
      expect(states).toMatchObject({ online: 10 });
    });
  });

  describe('getAttentionList', () => {
    const attention = (client: Client) => client.ok(homeCalls.getAttentionList, { timezone: noon().timezone });

    it('is empty without problems: devices that never connected are not missing', async () => {
      const { user, fixture } = await createHomeTenant(hub);
      const { productId, applicationId } = fixture;
      await hub.create.device({ productId, applicationId });
      const device = await connectNewDevice(hub, fixture);
      await expectOnline(hub, device.deviceId, 1);
      expect(await attention(user)).toEqual([]);
      await device.end();
    });

    it('lists devices that went offline today and still are, and rejected ones', async () => {
      const { user, fixture } = await createHomeTenant(hub);
      const [gone, back] = [await connectNewDevice(hub, fixture), await connectNewDevice(hub, fixture)];
      await Promise.all([gone.end(), back.end()]);
      await expectLatestEvent(hub, gone.deviceId, 2, 'byDevice');
      await expectLatestEvent(hub, back.deviceId, 2, 'byDevice');
      const returned = await connectNewDevice(hub, fixture, {}, back.deviceId);
      await expectOnline(hub, back.deviceId, 1);
      const who = { productId: fixture.productId, deviceId: gone.deviceId, secret: 'wrong' };
      await tryLogin(hub.url, loginFields(who));
      const since = new Date(noon().dayStart).toISOString();
      await expect
        .poll(() => attention(user), { timeout: 20_000 })
        .toMatchObject([
          { kind: 'offlineToday', count: 1, since },
          { kind: 'refusedLogins', count: 1, since },
        ]);
      for (const { latest } of await attention(user))
        expect(Math.abs(Date.parse(latest) - Date.now())).toBeLessThan(60_000);
      await returned.end();
    });

    it('covers today in the requested zone, for the own tenant', async () => {
      const [mine, theirs] = [await createHomeTenant(hub), await createHomeTenant(hub)];
      const { dayStart } = noon();
      const { productId, applicationId } = mine.fixture;
      const offline = async (presence_at: number): Promise<string> => {
        const deviceId = await hub.create.device({ productId, applicationId });
        await setDevice(hub, deviceId, { online: 2, presence_at, first_connect_at: 1 });
        return deviceId;
      };
      await offline(dayStart - 1);
      const deviceId = await offline(dayStart);
      const refused = (connect_time: number) => {
        const row = connectRow({ ...mine, productId, deviceId }, 3, { connect_time });
        return hub.records
          .insertInto('connect_record')
          .values({ ...row, record_id: connect_time * 4_096 })
          .execute();
      };
      await refused(dayStart - 1);
      await refused(dayStart);
      await refused(dayStart + 5);
      const latest = (time: number) => new Date(time).toISOString();
      expect(await attention(mine.user)).toMatchObject([
        { kind: 'offlineToday', count: 1, latest: latest(dayStart) },
        { kind: 'refusedLogins', count: 2, latest: latest(dayStart + 5) },
      ]);
      expect(await attention(theirs.user)).toEqual([]);
      const asked = { timezone: noon().timezone, tenancyId: mine.tenancyId };
      expect(await theirs.user.ok(homeCalls.getAttentionList, asked)).toEqual([]);
      expect(await hub.admin.ok(homeCalls.getAttentionList, asked)).toEqual(await attention(mine.user));
      await setDevice(hub, deviceId, { presence_at: dayStart - DAY });
      expect((await attention(mine.user)).map(({ kind }) => kind)).toEqual(['refusedLogins']);
    });
  });
});
