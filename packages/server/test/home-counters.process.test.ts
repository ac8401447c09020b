import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { homeCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quarterHourOf } from '../src/records/batch.ts';
import { expireClaims } from './claims-fixtures.ts';
import { type ClockHub, createClockHub, PRELOAD } from './clock/clock-hub.ts';
import { expectCounts, expectRecords, readTally, type Tally, zones } from './clock/tally.ts';
import { allOnline, type Fleet, publishUntil, startFleet } from './clock/traffic.ts';
import { LONG } from './connectivity-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';

describeOnOneEngine('postgres', () => {
  const MINUTE = 60_000;
  const DAY = 86_400_000;
  /** The end of a day, and of a month: midnight in Asia/Shanghai is 16:00 UTC, in America/Bogota 05:00. */
  const SHANGHAI = Date.parse('2031-01-31T16:00:00Z');
  const BOGOTA = Date.parse('2031-02-01T05:00:00Z');
  const around = (midnight: number, minutes: number[]): number[] => minutes.map((minute) => midnight + minute * MINUTE);
  /** The round that starts a minute before midnight continues after it. */
  const STARTS = LONG ? [-30, -20, -10, -1, 10, 20] : [-10, -1];
  const ROUNDS = [...around(SHANGHAI, STARTS), ...around(BOGOTA, LONG ? STARTS : [-1])];
  const LATER = BOGOTA + 3 * DAY;

  const LAMPS = LONG ? 6 : 2;
  const CHILDREN = LONG ? 4 : 2;
  /** Acknowledged in a round before the kill. */
  const ENOUGH = LONG ? 3_000 : 200;
  /** Counters of a deleted tenant, so that the rollup takes long enough for a kill. */
  const OLD_QUARTERS = LONG ? 6_000 : 750;
  const OLD_FROM = quarterHourOf(SHANGHAI - 70 * DAY);

  let moved: ClockHub;
  let fleets: Fleet[] = [];
  let underWay: Promise<unknown>[] = [];

  beforeAll(async () => {
    moved = await createClockHub((ROUNDS[0] ?? 0) - 5 * MINUTE);
    fleets = [await startFleet(moved, LAMPS, CHILDREN), await startFleet(moved, LAMPS, CHILDREN)];
  }, 180_000);
  afterAll(async () => {
    await Promise.all(fleets.flatMap(({ devices }) => devices.map((device) => device.stop())));
    await moved.close();
  }, 60_000);

  const deviceIds = () => fleets.flatMap((fleet) => fleet.deviceIds);
  const tenancyIds = () => fleets.map(({ tenancyId }) => tenancyId);

  /** Traffic until enough messages are acknowledged and the clock has reached that time; the hub ends during it. */
  const trafficUntil = async (time: number, end: () => Promise<unknown>): Promise<void> => {
    let acknowledged = 0;
    let over = false;
    await new Promise<void>((resolve) => {
      underWay.push(
        publishUntil(
          fleets,
          () => over,
          () => {
            acknowledged++;
            if (over || acknowledged < ENOUGH || moved.now() < time) return;
            over = true;
            resolve(end().then(() => undefined));
          },
        ),
      );
    });
  };

  const expectAll = async (tally: Tally): Promise<void> => {
    const client = await moved.operator();
    for (const zone of zones) {
      for (const tenancyId of [...tenancyIds(), undefined])
        await expectCounts(client, tally, { zone, now: moved.now, ...(tenancyId === undefined ? {} : { tenancyId }) });
    }
  };

  const storedSerials = async (): Promise<string[]> => {
    const rows = await moved.hub.records
      .selectFrom('message_record')
      .select('envelope')
      .where('message_type', '=', 7)
      .execute();
    return rows.map(({ envelope }) => Buffer.from(JSON.parse(envelope).payload, 'base64').toString());
  };

  const unfolded = async (): Promise<number> => {
    const { n } = await moved.hub.records
      .selectFrom('quarter_counter')
      .select((row) => row.fn.countAll<number>().as('n'))
      .where('hub_no', '>', 0)
      .where('quarter', '<', quarterHourOf(LATER - 2 * DAY))
      .executeTakeFirstOrThrow();
    return Number(n);
  };

  it("applies the test's clock to all processes and threads of the hub, and to no others", () => {
    const clock = { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_OFFSET_MS: String(5 * DAY) };
    const program = fileURLToPath(new URL('./clock/tell-time.mjs', import.meta.url));
    const { stdout } = spawnSync(process.execPath, [program], { env: clock, encoding: 'utf8' });
    const shown = JSON.parse(stdout) as number[][];
    expect(shown.map((times) => times.length)).toEqual([4, 4, 4]);
    for (const time of shown.flat()) expect(Math.abs(time - Date.now() - 5 * DAY)).toBeLessThan(MINUTE);
  });

  describe('counters', () => {
    it(
      `equal the records after ${ROUNDS.length} rounds of traffic, kills and two midnights`,
      async () => {
        for (const [round, start] of ROUNDS.entries()) {
          if (round === 0) await moved.kill();
          await moved.startAt(start);
          await allOnline(fleets);
          const isLast = round === ROUNDS.length - 1;
          const midnight = [SHANGHAI, BOGOTA].find((time) => time - start === MINUTE) ?? 0;
          const traffic = trafficUntil(midnight + 1_000, isLast ? () => Promise.resolve() : moved.kill);
          // A minute at full speed would be thousands of messages.
          if (midnight > 0) moved.setTime(midnight - 1_000);
          await traffic;
        }
        // Whatever was under way at a kill has been sent again since.
        await Promise.all(underWay);
        underWay = [];
        const acknowledged = fleets.flatMap(({ senders }) => senders.flatMap((sender) => sender.acknowledged));
        const stored = await storedSerials();
        expect(stored.length).toBeGreaterThanOrEqual(ENOUGH * ROUNDS.length);
        expect(stored.toSorted()).toEqual(acknowledged.toSorted());
        await Promise.all(fleets.flatMap(({ devices }) => devices.map((device) => device.stop())));

        const client = await moved.operator();
        const quiet = async () => (await client.ok(homeCalls.getSystemDeviceCurrentCount, {})).onlineCount;
        await expect.poll(quiet, { timeout: 30_000 }).toBe(0);
        const tally = await readTally(moved.hub);
        const days = (offset: number) => new Set(tally.messages.map(({ time }) => Math.floor((time + offset) / DAY)));
        for (const offset of [8, -5].map((hours) => hours * 60 * MINUTE)) expect(days(offset).size).toBe(2);
        expect(new Set(tally.messages.map(({ time }) => quarterHourOf(time))).size).toBeGreaterThan(3);
        await expectAll(tally);
        for (const zone of zones) await expectRecords(client, tally, deviceIds(), zone);
      },
      120_000 + ROUNDS.length * 60_000,
    );

    it(
      'are unchanged after old quarters are rolled up, also when the hub is killed during it',
      async () => {
        const { records } = moved.hub;
        const tally = await readTally(moved.hub);
        await moved.stop();
        const gone = Array.from({ length: OLD_QUARTERS }, (_, index) => ({
          quarter: OLD_FROM + index,
          tenancy_id: 'gone',
          hub_no: 1 + (index % 2),
          messages: 2,
          accesses: 1,
        }));
        for (let from = 0; from < gone.length; from += 500)
          await records
            .insertInto('quarter_counter')
            .values(gone.slice(from, from + 500))
            .execute();
        const counted = (times: number) =>
          gone.map(({ quarter }) => ({ time: quarter * 900_000, tenancyId: 'gone', deviceId: '', times }));
        const whole: Tally = {
          messages: [...tally.messages, ...counted(2)],
          accesses: [...tally.accesses, ...counted(1)],
        };
        const before = await unfolded();
        expect(before).toBeGreaterThan(OLD_QUARTERS);

        await moved.startAt(LATER, { minuteMs: 100 });
        await expect.poll(unfolded, { timeout: 30_000, interval: 5 }).toBeLessThan(before);
        await moved.kill();
        await expireClaims(moved.hub);
        expect(await unfolded()).toBeGreaterThan(0);

        await moved.startAt(LATER + 10 * MINUTE, { minuteMs: 1_000 });
        // Read the counts while the interrupted rollup continues, and again afterwards.
        while ((await unfolded()) > 0) await expectAll(whole);
        await expectAll(whole);
        const young = await records.selectFrom('quarter_counter').selectAll().where('hub_no', '>', 0).execute();
        expect(young.filter(({ quarter }) => quarter < quarterHourOf(LATER - 2 * DAY))).toEqual([]);
        const total = await records.selectFrom('counter_total').selectAll().where('tenancy_id', '=', '').execute();
        const sum = (list: Tally['messages']) => list.reduce((all, { times }) => all + times, 0);
        expect(total.map(({ messages, accesses }) => [Number(messages), Number(accesses)])).toEqual([
          [sum(whole.messages), sum(whole.accesses)],
        ]);
      },
      LONG ? 600_000 : 180_000,
    );
  });
});
