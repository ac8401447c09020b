import { setTimeout as sleep } from 'node:timers/promises';
import { otaCalls } from '@device-center/contract';
import { SEED } from '@device-center/contract/test/random.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FleetDevice, startFleet } from './chaos/fleet.ts';
import { type Installation, startInstallation } from './chaos/installation.ts';
import { createLoad, type Load } from './chaos/load.ts';
import { levelsOf, watchMemory } from './chaos/memory.ts';
import { createOperator } from './chaos/operator.ts';
import { killAndRecover, killPlan, type Outage, waitUntilHealthy } from './chaos/outages.ts';
import { watchProcessor } from './chaos/processor.ts';
import { printRun } from './chaos/report.ts';
import { middle } from './chaos/share.ts';
import { createUpgrades, isEnded, SILENT_MINUTES } from './chaos/upgrades.ts';
import {
  countedMessages,
  unexpectedErrors,
  verifyChanges,
  verifyCommands,
  verifyMessages,
  verifyUpgrades,
} from './chaos/verify.ts';
import { LONG } from './connectivity-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import { randomOf } from './sync-proxy-fixtures.ts';

describeOnOneEngine('postgres', () => {
  const MINUTES = Number(process.env.TEST_MINUTES ?? 30);
  const random = randomOf(SEED);

  const INSIDE = LONG ? 28 : 4;
  const IN_ZONE = LONG ? 12 : 2;
  /** Units per second without LONG; with LONG half of the measured maximum. */
  const RATE = 30;
  /** One unit in so many is the operator's. */
  const OPERATOR_EVERY = LONG ? 40 : 6;
  const CALIBRATE_MS = 15_000;
  /** After all is well again: calls that were under way until then have ended. */
  const GRACE_MS = LONG ? 2_000 : 500;
  /** From one kill's mending to the next kill. */
  const pauseMs = (): number => (LONG ? 50_000 + random() * 30_000 : 1_000 + random() * 1_000);
  const SETTLED_WITHIN_MS = 120_000;
  const UPGRADED_WITHIN_MS = 400_000;
  /** Above the usual memory of a process at its end, whichever is more. */
  const MEMORY_FACTOR = 1.25;
  const MEMORY_MORE_MIB = 80;

  let installation: Installation;
  let members: FleetDevice[] = [];
  let since = 0;

  beforeAll(async () => {
    installation = await startInstallation();
    since = Date.now();
    members = await startFleet(installation, INSIDE, IN_ZONE);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(members.map(({ device }) => device.stop()));
    await installation.close();
  }, 60_000);

  const sent = (): number => members.reduce((sum, { acknowledgedAt }) => sum + acknowledgedAt.length, 0);

  /** Units per second, until all are stored: messages queued at the zone's broker do not count as done. */
  const calibrate = async (load: Load): Promise<number> => {
    const [before, sentBefore, since] = [await countedMessages(installation), sent(), Date.now()];
    const doneBefore = load.done;
    await load.sendAtFullRate(CALIBRATE_MS);
    const missing = async (): Promise<number> =>
      load.inFlight + sent() - sentBefore - ((await countedMessages(installation)) - before);
    await expect.poll(missing, { timeout: SETTLED_WITHIN_MS, interval: 250 }).toBeLessThanOrEqual(0);
    return ((load.done - doneBefore) * 1_000) / (Date.now() - since);
  };

  const killAll = async (endAt: number): Promise<Outage[]> => {
    const outages: Outage[] = [];
    const plan = killPlan(installation.kinds, random, LONG ? 0.2 : 0);
    // Without LONG each kind is killed once; with LONG until the end of the time.
    const isOver = (): boolean => (LONG ? Date.now() > endAt : outages.length >= installation.kinds.length);
    while (!isOver()) {
      await sleep(pauseMs());
      const { value } = plan.next();
      outages.push(await killAndRecover(installation, members, value));
    }
    await sleep(pauseMs());
    return outages;
  };

  it(
    `loses and doubles no acknowledged message under mixed load, with hub, database and broker killed at random (seed ${SEED})`,
    async () => {
      await waitUntilHealthy(installation, members);
      const operator = createOperator(installation, members);
      const load = createLoad(members, operator, OPERATOR_EVERY);
      const upgrades = createUpgrades(installation, members, {
        devices: LONG ? 6 : members.length,
        pauseMs: LONG ? 60_000 : 600_000,
      });
      const most = LONG ? await calibrate(load) : 0;
      const rate = LONG ? most / 2 : RATE;
      operator.requests.length = 0;

      const lookEveryMs = LONG ? 5_000 : 1_000;
      const memory = watchMemory(installation, lookEveryMs);
      const processor = watchProcessor(installation, lookEveryMs);
      const from = Date.now();
      let over = false;
      const under = [load.pace(rate, () => over), upgrades.run(() => over)];
      const outages = await killAll(from + MINUTES * 60_000).finally(() => {
        over = true;
      });
      await Promise.all(under);
      const to = Date.now();
      memory.stop();
      processor.stop();

      // Whatever was under way arrives, and everybody is back.
      await expect.poll(() => load.inFlight, { timeout: SETTLED_WITHIN_MS, interval: 100 }).toBe(0);
      await waitUntilHealthy(installation, members);
      const { admin, shop } = installation;
      const openTasks = async (): Promise<number> => {
        const { list } = await admin.ok(otaCalls.queryDeviceOtaTaskList, { productId: shop.productId, pageSize: 200 });
        return list.filter(({ taskStatus }) => !isEnded(taskStatus)).length;
      };
      await expect.poll(openTasks, { timeout: UPGRADED_WITHIN_MS, interval: 500 }).toBe(0);
      // The zone's broker may still have queued messages, and the counts of the home page may be a second old.
      const readAll = async () => {
        const stored = await verifyMessages(installation, members, outages, since);
        return { ...stored, miscounted: (await countedMessages(installation)) - stored.rows };
      };
      let stored = await readAll();
      for (const until = Date.now() + SETTLED_WITHIN_MS; Date.now() < until; stored = await readAll()) {
        if (stored.lost.length === 0 && stored.miscounted === 0) break;
        await sleep(1_000);
      }
      const upgraded = await verifyUpgrades(installation, members, upgrades.taskIds);
      printRun({
        title: `${installation.engine}, ${members.length} devices, ${((to - from) / 60_000).toFixed(1)} minutes, seed ${SEED}`,
        figures: [
          ...(LONG ? [['most, units a second', most] as [string, number]] : []),
          ['units a second', rate],
          ['units done', load.done],
          ['messages', stored.messages],
          ['lost with the broker', stored.acknowledgedByBroker],
          ['changes', operator.renames.length],
          ['commands', operator.orders.length],
          ['upgrade tasks', `${upgraded.tasks}: ${upgraded.success} succeeded, ${upgraded.failed} failed`],
          ['database itself up in', `${Math.round(Math.max(0, ...installation.databaseStarts) / 1_000)} s at worst`],
          ['verified in', `${Math.round((Date.now() - to) / 1_000)} s`],
        ],
        requests: operator.requests,
        outages,
        generations: memory.generations,
        used: processor.used,
        from,
        to,
        graceMs: GRACE_MS,
      });

      expect(stored.lost).toEqual([]);
      expect(stored.doubled).toEqual([]);
      expect(stored.miscounted).toBe(0);
      expect(members.flatMap(({ problems }) => problems)).toEqual([]);
      expect(await verifyChanges(installation, members, operator)).toEqual([]);
      // An upgrade order that was lost with its process and repeated stays open until its timeout.
      const timeout = (SILENT_MINUTES + 1) * 60_000;
      await expect.poll(() => verifyCommands(installation, members, operator), { timeout }).toEqual([]);
      expect(upgraded.wrong).toEqual([]);
      expect(upgrades.taskIds.length).toBeGreaterThan(0);
      expect(unexpectedErrors(operator, outages, GRACE_MS)).toEqual([]);
      // Or nothing of all this would have been held against anything.
      expect(operator.renames.filter(({ known }) => known).length).toBeGreaterThan(0);
      expect(operator.orders.filter(({ answered }) => answered).length).toBeGreaterThan(0);
      // Processes that run only a few seconds are not representative for memory.
      for (const side of LONG ? (['admin', 'device'] as const) : []) {
        const lives = memory.generations.filter((one) => one.side === side && levelsOf(one));
        // The middle of the first half: garbage goes in leaps, so a life may hold half of what the next one does.
        const early = lives
          .filter(({ startedAt }) => startedAt < (from + to) / 2)
          .map((one) => levelsOf(one)?.last ?? 0);
        const level = middle(early);
        const atMost = Math.max(level * MEMORY_FACTOR, level + MEMORY_MORE_MIB);
        const later = lives.filter(({ startedAt }) => startedAt >= (from + to) / 2);
        expect(later.filter((one) => (levelsOf(one)?.last ?? 0) > atMost).map(levelsOf)).toEqual([]);
      }
    },
    LONG ? (MINUTES + 20) * 60_000 : 600_000,
  );
});
