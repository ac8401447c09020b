import '@device-center/contract/test/random.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LONG } from './connectivity-fixtures.ts';
import { describeOnEachEngine, postgresServer } from './engine.ts';
import { createHistory, type History } from './ota/history.ts';
import { operations, type Step } from './ota/operations.ts';
import { createWorld, type World } from './ota/world.ts';

describeOnEachEngine(() => {
  const ON_POSTGRES = postgresServer() !== undefined;
  const SHORT_RUNS = ON_POSTGRES ? 10 : 60;
  const LONG_RUNS = ON_POSTGRES ? 5_000 : 100_000;
  const RUNS = LONG ? LONG_RUNS : SHORT_RUNS;
  const DEVICES = 5;

  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  }, 60_000);
  afterAll(() => world.close());

  const step: fc.Arbitrary<Step> = fc.record({
    op: fc.constantFrom(...operations),
    a: fc.nat(255),
    b: fc.nat(255),
  });

  /** It begins with a task, or there would be little to see. */
  const sequence = fc
    .tuple(step, fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }))
    .map(([first, rest]): Step[] => [{ ...first, op: 'create' }, { op: 'look', a: 0, b: 0 }, ...rest]);

  /** These operations write nothing. */
  const idle: ReadonlySet<Step['op']> = new Set(['seconds', 'minutes', 'hours', 'restart', 'online', 'answer']);

  /** The invariants after any sequence. */
  const check = async ({ taskIds, deviceIds }: History): Promise<void> => {
    const { db } = world;
    if (taskIds.length === 0) return;
    const tasks = await db.selectFrom('ota_task').selectAll().where('task_id', 'in', taskIds).execute();
    const records = await db.selectFrom('ota_device').selectAll().where('device_id', 'in', deviceIds).execute();
    const holds = await db.selectFrom('ota_hold').selectAll().where('device_id', 'in', deviceIds).execute();
    const orders = await db
      .selectFrom('device_command')
      .select('payload')
      .where('device_id', 'in', deviceIds)
      .where('function_id', '=', 'ota')
      .execute();

    const told = orders.map(({ payload }) => {
      const { input } = JSON.parse(payload) as { input: { deviceOtaTaskId: string; attempt: number } };
      return `${input.deviceOtaTaskId}/${input.attempt}`;
    });
    expect(new Set(told).size, 'a device is told once for an attempt').toBe(told.length);

    for (const deviceId of deviceIds) {
      const underWay = records.filter(({ device_id, status }) => device_id === deviceId && status >= 1 && status <= 4);
      expect(underWay.length, 'a device is under way in one task').toBeLessThan(2);
    }
    for (const task of tasks) {
      const own = records.filter(({ task_id }) => task_id === task.task_id);
      const count = (status: number): number => own.filter((record) => record.status === status).length;
      const undone = own.filter(({ status }) => status < 5).length;
      if ([4, 5, 6, 7].includes(task.status)) {
        expect(undone, 'nobody is left in a task that is over').toBe(0);
        expect(JSON.parse(task.tally)[5], 'what is written down is what was').toBe(count(5));
      }
      if (task.status === 5) expect([count(5) > 0, count(6)]).toEqual([true, 0]);
      if (task.status === 6) expect([count(5), count(6) > 0]).toEqual([0, true]);
      if (task.status === 7) expect(count(5) > 0 === count(6) > 0, 'finished is neither all nor none').toBe(true);
      if (task.status === 0) expect(own.filter(({ status }) => status >= 1 && status <= 4)).toEqual([]);
      if (task.status === 8) expect(own.filter(({ status }) => status >= 1 && status <= 4)).toEqual([]);
      if (task.status === 2) expect(own.some(({ attempt }) => attempt > 0)).toBe(true);
    }
    for (const hold of holds) {
      const task = tasks.find(({ task_id }) => task_id === hold.task_id);
      const record = records.find((one) => one.task_id === hold.task_id && one.device_id === hold.device_id);
      expect(task && [0, 1, 2, 3].includes(task.status), 'only a task in progress holds').toBe(true);
      expect(record && record.status < 5, 'only who is not done is held').toBe(true);
      expect(hold.task_rank).toBe(task?.task_rank);
    }
  };

  // Spec 4.40
  it(
    `runs ${RUNS} sequences of operators, devices, time and restarts without illegal states or repeated notifications, and to the end`,
    async () => {
      let serial = 0;
      await fc.assert(
        fc.asyncProperty(sequence, async (steps) => {
          const history = await createHistory(world, ++serial, DEVICES);
          try {
            for (const one of steps) {
              await history.take(one);
              if (!idle.has(one.op)) await check(history);
            }
            await history.end();
            await check(history);
            const left = await history.tasks();
            expect(
              left.filter(({ status }) => [0, 1, 2, 3, 8].includes(status)),
              'every task ends',
            ).toEqual([]);
          } finally {
            await history.clear();
          }
        }),
        { numRuns: RUNS, endOnFailure: !LONG },
      );
    },
    LONG ? 4 * 3_600_000 : 300_000,
  );
});
