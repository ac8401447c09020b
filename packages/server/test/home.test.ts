import { homeCalls } from '@device-center/contract';
import '@device-center/contract/test/random.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quarterHourOf } from '../src/records/batch.ts';
import { LONG } from './connectivity-fixtures.ts';
import { connectNewDevice } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { createHomeTenant, DAY, fleetCounts, insertCounters, noon, QUARTER, setDevice } from './home-fixtures.ts';
import { type InProcessHub, sharedHub, startHub } from './in-process-hub.ts';

let hub: InProcessHub;

const useHub = (start: () => Promise<InProcessHub>): void => {
  beforeAll(async () => {
    hub = await start();
  });
  afterAll(() => hub.close());
};

const ZONES = ['UTC', 'Asia/Shanghai', 'America/Bogota', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'];
const formatOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
// Creating one takes far longer than using it.
const formats = new Map(ZONES.map((timeZone) => [timeZone, formatOf(timeZone)]));
const dateOf = (timeZone: string, time: number): string => formats.get(timeZone)?.format(time) ?? '';

describeOnEachEngine(() => {
  useHub(startHub);

  describe('home page counts', () => {
    const NONE = { deviceCount: 0, messageCount: 0, connectedCount: 0, onlineCount: 0 };

    it('are zero for a tenant without devices', async () => {
      const { user } = await createHomeTenant(hub);
      expect(await fleetCounts(user)).toEqual({ ...NONE, today: { ...NONE, accessCount: 0 }, demonstration: 0 });
    });

    // Spec 7.22
    it('cover devices, messages, devices that ever connected and those online, with mock devices', async () => {
      const { user, fixture } = await createHomeTenant(hub);
      const { productId, applicationId } = fixture;
      for (const _ of [1, 2]) await hub.create.device({ productId, applicationId });
      const [stays, goes] = [await connectNewDevice(hub, fixture), await connectNewDevice(hub, fixture)];
      for (const power of [true, false]) await stays.send({ type: 2, payload: { properties: { power } } });
      await goes.send({ type: 3, payload: { event: 'lampFault', output: { reason: 'heat' } } });
      await goes.end();
      await setDevice(hub, goes.deviceId, { mock: 1 });
      const now = { deviceCount: 4, messageCount: 3, connectedCount: 2, onlineCount: 1 };
      await expect
        .poll(() => fleetCounts(user), { timeout: 20_000 })
        .toEqual({
          ...now,
          today: { ...now, accessCount: 2 },
          demonstration: 0,
        });
      await stays.end();
    });

    it('show the change since the start of the day, also negative', async () => {
      const { user, fixture, tenancyId } = await createHomeTenant(hub);
      const device = await connectNewDevice(hub, fixture);
      const { dayStart } = noon();
      const snapshot = (time: number, devices: number, connected: number, online: number) =>
        hub.db
          .insertInto('fleet_snapshot')
          .values({ tenancy_id: tenancyId, quarter: quarterHourOf(time), devices, connected, online })
          .execute();
      await snapshot(dayStart - DAY, 100, 100, 100);
      // The last value before the start of the day counts, not a later one.
      await snapshot(dayStart - 3 * QUARTER, 5, 4, 0);
      await snapshot(dayStart + QUARTER, 50, 50, 50);
      await expect
        .poll(() => fleetCounts(user), { timeout: 20_000 })
        .toMatchObject({
          deviceCount: 1,
          onlineCount: 1,
          today: { deviceCount: -4, connectedCount: -3, onlineCount: 1 },
        });
      await device.end();
    });

    it('are stored every quarter of an hour for later comparison', async () => {
      const { user, fixture, tenancyId } = await createHomeTenant(hub);
      const device = await connectNewDevice(hub, fixture);
      await expect.poll(() => fleetCounts(user), { timeout: 20_000 }).toMatchObject({ onlineCount: 1 });
      const taken = () =>
        hub.db
          .selectFrom('fleet_snapshot')
          .selectAll()
          .where('quarter', '>=', quarterHourOf(Date.now()) - 1)
          .execute();
      await hub.process.runJob('count the fleet');
      expect((await taken()).length).toBeGreaterThan(0);
      const [first] = await taken();
      // As if the quarter had just begun.
      await hub.db
        .deleteFrom('fleet_snapshot')
        .where('quarter', '=', first?.quarter ?? 0)
        .execute();
      const own = async () => (await taken()).filter((row) => row.tenancy_id === tenancyId);
      await hub.process.runJob('count the fleet');
      expect(await own()).toMatchObject([{ devices: 1, connected: 1, online: 1 }]);
      await device.end();
    });
  });

  describe('home page charts', () => {
    const quarters = fc.array(
      fc.record({
        back: fc.integer({ min: 0, max: 380 * 96 }),
        messages: fc.integer({ min: 0, max: 1_000_000 }),
        accesses: fc.integer({ min: 0, max: 5_000 }),
        hubNo: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 1, maxLength: 40 },
    );

    // Spec 7.23-7.26, 9.41
    it('add up quarters to days and months of any zone, for all hubs', async () => {
      const { user, tenancyId } = await createHomeTenant(hub);
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...ZONES), quarters, async (timezone, made) => {
          const now = quarterHourOf(Date.now());
          const rows = new Map(
            made.map(({ back, ...row }) => [`${back} ${row.hubNo}`, { tenancyId, quarter: now - back, ...row }]),
          );
          await hub.records.deleteFrom('quarter_counter').where('tenancy_id', '=', tenancyId).execute();
          await insertCounters(hub, [...rows.values()]);
          const counted = (what: 'messages' | 'accesses', name: string): number =>
            [...rows.values()]
              .filter(({ quarter }) => dateOf(timezone, quarter * QUARTER).startsWith(name))
              .reduce((sum, row) => sum + row[what], 0);
          for (const scopeSign of [7, 30] as const) {
            const days = await user.ok(homeCalls.getDayDeviceMessageCount, { timezone, scopeSign });
            expect(days).toEqual(days.map(({ date }) => ({ date, count: counted('messages', date) })));
            expect(days).toHaveLength(scopeSign);
            expect(days.at(-1)?.date).toBe(dateOf(timezone, Date.now()));
            const accesses = await user.ok(homeCalls.getDayDeviceAccessCount, { timezone, scopeSign });
            expect(accesses).toEqual(days.map(({ date }) => ({ date, count: counted('accesses', date) })));
          }
          const months = await user.ok(homeCalls.getMonthDeviceMessageCount, { timezone });
          expect(months).toEqual(months.map(({ month }) => ({ month, count: counted('messages', month) })));
          expect(months).toHaveLength(12);
          expect(months.at(-1)?.month).toBe(dateOf(timezone, Date.now()).slice(0, 7));
          const accesses = await user.ok(homeCalls.getMonthDeviceAccessCount, { timezone });
          expect(accesses).toEqual(months.map(({ month }) => ({ month, count: counted('accesses', month) })));
        }),
        { numRuns: LONG ? 25 : 8 },
      );
    });
  });
});

describe('on the default engine', () => {
  useHub(sharedHub);

  describe('home page charts', () => {
    // Spec 1.19, 7.24, 9.40
    it('cover seven days in UTC by default', async () => {
      const { user } = await createHomeTenant(hub);
      const days = await user.ok(homeCalls.getDayDeviceMessageCount, {});
      expect(days.map(({ date }) => date)).toEqual(
        Array.from({ length: 7 }, (_, index) => dateOf('UTC', Date.now() - (6 - index) * DAY)),
      );
    });

    it.each([
      [{ scopeSign: 8 }, 'scopeSign', 'Not one of the possible values', '不在可选范围内'],
      [{ scopeSign: 'week' }, 'scopeSign', 'Not one of the possible values', '不在可选范围内'],
      [{ timezone: 'Mars/Olympus' }, 'timezone', 'Unknown time zone', '未知时区'],
    ])('reject %o in both languages', async (sent, field, english, chinese) => {
      const { user } = await createHomeTenant(hub);
      for (const [language, message] of [
        ['en-US', english],
        ['zh-CN', chinese],
      ] as const) {
        const answer = await user.send(homeCalls.getDayDeviceMessageCount, sent, { language });
        expect(answer).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', details: [{ field, message }] });
      }
    });
  });
});
