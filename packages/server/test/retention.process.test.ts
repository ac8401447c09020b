import { recordCalls, recordKinds } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstSequenceIdAt } from '../src/platform/ids.ts';
import { createPartitions } from '../src/records/partitions.ts';
import type { Client } from './client.ts';
import { type ClockHub, createClockHub } from './clock/clock-hub.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { unique } from './hub.ts';
import { openStream } from './stream-fixtures.ts';

describeOnEachEngine(() => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const DAYS = [0, 1, 2, 3];
  /** How many days the hub keeps: until the last of these days, all that was reported. */
  const KEPT = 6;
  /** Ahead of the day on which the tables were made, so that each of these days is one of their own. */
  const FIRST = (Math.floor(Date.now() / DAY) + 3) * DAY;
  const noonOf = (day: number): number => FIRST + day * DAY + 12 * HOUR;

  let moved: ClockHub;
  let fixture: ProductFixture;
  let deviceSecret: string | undefined;
  const deviceId = unique('dev');

  /** The hub's job that adds partitions does not wait for the end of a test's day. */
  const moveTo = async (time: number): Promise<void> => {
    await moved.moveTo(time);
    const { env, records } = moved.hub;
    if (env.DATABASE_URL) await createPartitions({ records, days: KEPT }).createAhead(time);
  };

  /** The daily messages of a device: a value, one of the day before yesterday, an event and a log line. */
  const liveADay = async (day: number): Promise<void> => {
    const { productId, productSecret } = fixture;
    const device = createDevice({
      hubUrl: moved.hub.url,
      now: moved.now,
      deviceId,
      productId,
      ...(deviceSecret ? { secret: deviceSecret } : { productSecret }),
      onSecret: (secret: string) => {
        deviceSecret = secret;
      },
    });
    await device.start();
    await device.report({ brightness: 10 + day });
    await device.report({ brightness: 50 + day }, { time: noonOf(day - 2) + HOUR });
    await device.event('lampFault', { reason: 'heat' });
    await device.log(5, `line of day ${day}`);
    await device.stop();
  };

  beforeAll(async () => {
    moved = await createClockHub(noonOf(0), { RETENTION_DAYS: String(KEPT), RETENTION_EVERY: '500ms' });
    fixture = await createProductFixture(moved.hub);
    for (const day of DAYS) {
      if (day > 0) await moveTo(noonOf(day));
      await liveADay(day);
    }
  }, 180_000);
  afterAll(() => moved.close());

  const values = async (client: Client, more: object = {}): Promise<unknown[]> =>
    (await client.ok(recordCalls.getPropertyHistory, { deviceId, signCode: 'brightness', ...more })).map(
      ({ value }) => value,
    );

  const dayOf = (time: unknown): number => Math.floor((Date.parse(String(time)) - FIRST) / DAY);

  const events = async (client: Client, more: object = {}): Promise<number[]> => {
    const { list, total } = await client.ok(recordCalls.deviceMessageRecord, {
      deviceId,
      functionId: 'lampFault',
      pageSize: 100,
      sortMode: 1,
      ...more,
    });
    expect(total).toBe(list.length);
    return list.map(({ messageTime }) => dayOf(messageTime));
  };

  it('reads history over several days, and finds a late value at its own time', async () => {
    const client = await moved.operator();
    expect(await events(client)).toEqual(DAYS);
    expect(await events(client, { sortMode: 2 })).toEqual([...DAYS].reverse());
    expect(await events(client, { startTime: noonOf(1) - HOUR, endTime: noonOf(3) + HOUR })).toEqual([1, 2, 3]);
    const second = await client.ok(recordCalls.deviceMessageRecord, {
      deviceId,
      functionId: 'lampFault',
      sortMode: 1,
      pageIndex: 2,
      pageSize: 3,
    });
    expect([second.total, ...second.list.map(({ messageTime }) => dayOf(messageTime))]).toEqual([4, 3]);

    const exported = String((await client.send(recordCalls.exportDeviceMessages, { deviceId })).data);
    const told = exported.split('\r\n').filter((line) => line.includes(',lampFault,'));
    expect(told.map((line) => dayOf(line.split(',')[0]))).toEqual([...DAYS].reverse());

    const logs = await client.ok(recordCalls.queryDeviceLogList, { deviceId, searchValue: 'line of' });
    expect(logs.list.map(({ log }) => log)).toEqual([...DAYS].reverse().map((day) => `line of day ${day}`));
    const connects = await client.ok(recordCalls.deviceConnectRecord, { deviceId, status: 1 });
    expect(connects.total).toBe(DAYS.length);

    expect(await values(client)).toEqual([13, 12, 53, 11, 52, 10, 51, 50]);
    expect(await values(client, { limit: 3 })).toEqual([13, 12, 53]);
    // Reported on day 3, of day 1.
    expect(await values(client, { startTime: noonOf(1), endTime: noonOf(1) + 2 * HOUR })).toEqual([53, 11]);
    expect(await client.ok(recordCalls.getLatestValues, { deviceId })).toMatchObject([{ value: 13 }]);
  });

  it('resumes a live stream from a cursor of days ago', async () => {
    const client = await moved.operator();
    const since = firstSequenceIdAt(noonOf(1) - HOUR);
    const cursor = recordKinds.map(() => since).join('.');
    const stream = await openStream(moved.hub.url, client.token, { deviceId, kinds: ['event'], cursor });
    const told = () => stream.events().map(({ data }) => dayOf(data.time));
    await expect.poll(told).toEqual([1, 2, 3]);
    stream.leave();
  });

  it('deletes only what is older than the retention days', async () => {
    // Just after midnight, so that days and hours come to the same.
    await moveTo(noonOf(6) + 12.5 * HOUR);
    const client = await moved.operator();
    await expect.poll(() => events(client), { timeout: 20_000 }).toEqual([1, 2, 3]);
    await expect.poll(() => values(client), { timeout: 20_000 }).toEqual([13, 12, 53, 11]);
    const logs = await client.ok(recordCalls.queryDeviceLogList, { deviceId, searchValue: 'line of' });
    expect(logs.list.map(({ log }) => log)).toEqual(['line of day 3', 'line of day 2', 'line of day 1']);
    expect((await client.ok(recordCalls.deviceConnectRecord, { deviceId, status: 1 })).total).toBe(3);
    expect(await client.ok(recordCalls.getLatestValues, { deviceId })).toMatchObject([{ value: 13 }]);
    // Records of today stay.
    await liveADay(7);
    expect(await events(client)).toEqual([1, 2, 3, 7]);
  });

  it('deletes the oldest records beyond the retention bytes', async () => {
    await moved.stop();
    await moved.startAt(noonOf(8), { more: { RETENTION_BYTES: '1', RETENTION_EVERY: '100ms' } });
    const client = await moved.operator();
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const left = await events(client);
          seen.add(left.join());
          return left.includes(3);
        },
        { timeout: 30_000, interval: 50 },
      )
      .toBe(false);
    // Whatever was there in between was the younger end of it.
    const all = [1, 2, 3, 7];
    for (const left of seen) expect(all.join().endsWith(left)).toBe(true);
  });
});
