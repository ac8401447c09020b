import { otaProgress, type TaskAction } from '@device-center/contract';
import { attributeColumns } from '../../src/domain/device/attributes.ts';
import { removeDeviceRows } from '../../src/domain/device/removal.ts';
import type { Dispatch } from '../../src/features/ota/ota.dispatch.ts';
import { AppError } from '../../src/platform/app-error.ts';
import type { Step } from './operations.ts';
import { PRODUCT, START, TARGETS, type World } from './world.ts';

const MINUTE = 60_000;
const actions: TaskAction[] = ['start', 'suspend', 'cancel', 'restart', 'retry', 'delete'];

/** The allowed operator actions by task status, an independent copy of Decisions §5. */
const allowedFrom: Record<TaskAction, number[]> = {
  start: [0, 3, 8],
  suspend: [1, 2, 8],
  cancel: [0, 1, 2, 3, 8],
  restart: [4, 5, 6, 7],
  retry: [6, 7],
  delete: [0, 3, 4, 5, 6, 7, 8],
};

type Task = { task_id: string; status: number; task_rank: number };

const REGISTRATION = 7;
const registered = (deviceId: string) => ({ deviceId, registrationNo: REGISTRATION });

const bitsOf = (mask: number, names: string[]): string[] => names.filter((_name, place) => (mask >> place) & 1);

/** A sequence of actions of operators, devices, clock and faults; each step is checked against the decisions. */
export const createHistory = async (world: World, serial: number, deviceCount: number) => {
  const { db, clock, context, creation, actions: ota, upgrades } = world;
  clock.time = START;
  const version = `1.${serial}.0`;
  const deviceIds = Array.from({ length: deviceCount }, (_, place) => `m${serial}-${place}`);
  const taskIds: string[] = [];
  const hubs: Dispatch[] = [world.newDispatch(), world.newDispatch()];
  const device = (a: number): string => deviceIds[a % deviceCount] ?? '';

  await db
    .insertInto('device')
    .values(
      deviceIds.map((device_id, place) => ({
        device_id,
        registration_no: REGISTRATION,
        tenancy_id: '1',
        product_id: PRODUCT,
        application_id: 'a1',
        device_name: device_id,
        device_name_key: device_id,
        device_id_key: device_id,
        ...attributeColumns(),
        version_number: version,
        online: place % 2 === 0 ? (1 as const) : (2 as const),
        parent_id: '',
        mock: 0 as const,
        created_at: 1,
        updated_at: 1,
      })),
    )
    .execute();

  const tasks = async (): Promise<Task[]> =>
    taskIds.length === 0
      ? []
      : db.selectFrom('ota_task').select(['task_id', 'status', 'task_rank']).where('task_id', 'in', taskIds).execute();
  const taskAt = async (a: number): Promise<Task | undefined> => {
    const all = await tasks();
    return all[a % Math.max(1, all.length)];
  };

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
      return '';
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw error;
    }
  };

  /** The highest rank of a task in progress that the device has not finished. */
  const rankOver = async (deviceId: string, but: string): Promise<number> => {
    const rows = await db
      .selectFrom('ota_device')
      .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
      .select('task_rank')
      .where('device_id', '=', deviceId)
      .where('ota_device.status', '<', 5)
      .where('ota_task.status', 'in', [0, 1, 2, 3])
      .where('ota_task.task_id', '<>', but)
      .execute();
    return Math.max(0, ...rows.map((row) => row.task_rank));
  };
  const existing = async (): Promise<string[]> => {
    const rows = await db.selectFrom('device').select('device_id').where('device_id', 'in', deviceIds).execute();
    return rows.map((row) => row.device_id);
  };
  const onVersion = async (): Promise<string[]> => {
    const rows = await db.selectFrom('device').select('device_id').where('version_number', '=', version).execute();
    return rows.map((row) => row.device_id);
  };

  const schedule = (a: number, b: number) => ({
    taskRank: 1 + (a % 3),
    executeNow: (b % 2) as 0 | 1,
    taskType: ((a >> 2) % 3 === 0 ? 2 : 1) as 1 | 2,
    cron: '*/10 * * * *',
    timezone: 'Asia/Shanghai',
    taskStart: clock.time + (1 + (b % 60)) * MINUTE,
    taskEnd: (a >> 5) % 2 === 0 ? clock.time + 240 * MINUTE : undefined,
  });

  const create = async (a: number, b: number): Promise<void> => {
    const chosen = (b >> 1) % 2 === 0;
    const there = await existing();
    const picked = bitsOf(1 + ((a * 7 + b) % (2 ** deviceCount - 1)), deviceIds).filter((id) => there.includes(id));
    const meant = chosen ? picked : await onVersion();
    const input = {
      taskName: 'task',
      deviceVersionId: `v${TARGETS[b % 2]}`,
      ...(chosen ? { deviceListId: picked } : { versionNumber: [version] }),
      ...schedule(a, b),
      stages: (b >> 2) % 2 === 0 ? [100] : [50, 100],
      stageWait: (b >> 5) % 2,
      perMinute: (a >> 4) % 3 === 0 ? 2 : 0,
      timeout: 30,
      retries: (a >> 3) % 2,
      stopPercent: (b >> 3) % 2 === 0 ? 0 : 40,
      stopAfter: 2,
      allowOlder: 0 as const,
    };
    if (chosen && picked.length === 0) return;
    const ranks = await Promise.all(meant.map((deviceId) => rankOver(deviceId, '')));
    const expected =
      meant.length === 0 ? 'NO_TARGET_DEVICES' : ranks.some((rank) => rank >= input.taskRank) ? 'TASK_IN_PROGRESS' : '';
    const created = creation.addDeviceOtaTask(context, input as never).then(({ taskId }) => taskIds.push(taskId));
    const code = await codeOf(created);
    if (code !== expected) throw new Error(`creation: ${code || 'made'} where ${expected || 'made'} was decided`);
  };

  const act = async (a: number, b: number): Promise<void> => {
    const task = await taskAt(a);
    if (!task) return;
    const action = actions[b % actions.length] ?? 'start';
    const { task_id: taskId } = task;
    const underWay = await db
      .selectFrom('ota_device')
      .select('record_no')
      .where('task_id', '=', taskId)
      .where('status', 'in', [1, 2, 3, 4])
      .execute();
    const allowed =
      allowedFrom[action].includes(task.status) && !(action === 'delete' && task.status === 3 && underWay.length > 0);
    const calls: Record<TaskAction, () => Promise<unknown>> = {
      start: () => ota.startOtaTaskStatus(context, { taskId }),
      suspend: () => ota.suspendOtaTaskStatus(context, { taskId }),
      cancel: () => ota.cancelOtaTask(context, { taskId }),
      restart: () => ota.restartDeviceOtaTask(context, { taskId }),
      retry: () => ota.retryOtaForFailed(context, { taskId, ...schedule(b, a) } as never),
      delete: () => ota.deleteDeviceOtaTask(context, { taskIds: [taskId] }),
    };
    const code = await codeOf(calls[action]());
    const again = action === 'restart' || action === 'retry';
    const fits = allowed ? code === '' || (again && code === 'TASK_IN_PROGRESS') : code === 'TASK_ACTION_REFUSED';
    if (!fits) throw new Error(`${action} in ${task.status}: ${code || 'done'}`);
  };

  const records = (deviceId: string, statuses: (0 | 1 | 2 | 3 | 4)[]) =>
    db
      .selectFrom('ota_device')
      .selectAll()
      .where('device_id', '=', deviceId)
      .where('status', 'in', statuses)
      .orderBy('record_no')
      .execute();

  const isOnline = async (deviceId: string): Promise<boolean> => {
    const row = await db.selectFrom('device').select('online').where('device_id', '=', deviceId).executeTakeFirst();
    return row?.online === 1;
  };

  /** The device process delivers a waiting command to an online device, which answers, rejects or ignores it. */
  const answer = async (a: number, b: number): Promise<void> => {
    const deviceId = device(a);
    if (!(await isOnline(deviceId))) return;
    const codes = [200, 200, 200, 60002, 60001, 0];
    const code = codes[b % codes.length] ?? 200;
    const state = code === 200 ? 'answered' : code === 0 ? 'sent' : 'failed';
    await db
      .updateTable('device_command')
      .set({ state, code, sent_at: clock.time })
      .where('device_id', '=', deviceId)
      .where('state', 'in', ['created', 'sent'])
      .execute();
  };

  const report = async (a: number, b: number, back: number): Promise<void> => {
    const deviceId = device(a);
    const [record] = await records(deviceId, [1, 2, 3, 4]);
    if (!record) return;
    const status = [2, 3, 4, 6][b % 4];
    const output = {
      deviceOtaTaskId: String(record.record_no),
      attempt: record.attempt - back,
      status,
      percent: b % 101,
    };
    const { data: told } = otaProgress.safeParse(status === 6 ? { ...output, reason: 3 + (b % 3) } : output);
    // Reports that the protocol does not allow are rejected before.
    if (told) await upgrades.reported(registered(deviceId), told);
  };

  const steps: Record<Step['op'], (a: number, b: number) => Promise<unknown>> = {
    create,
    act,
    first: async (a) => {
      const [record] = await records(device(a), [0, 1, 2, 3, 4]);
      if (!record) return;
      const task = (await tasks()).find(({ task_id }) => task_id === record.task_id);
      const code = await codeOf(ota.deviceOtaFirst(context, { deviceOtaTaskId: String(record.record_no) }));
      const fits = record.status === 0 && task !== undefined && task.status >= 1 && task.status <= 3;
      if ((code === '') !== fits) throw new Error(`first of ${record.status} in ${task?.status}: ${code || 'done'}`);
    },
    look: (a) => hubs[a % 2]?.poll() ?? Promise.resolve(),
    lookBoth: () => Promise.all(hubs.map((hub) => hub.poll())),
    online: async (a, b) => {
      const online = b % 2 === 0 ? 1 : 2;
      const before = await isOnline(device(a));
      await db.updateTable('device').set({ online }).where('device_id', '=', device(a)).execute();
      if (online === 1 && !before) await upgrades.deviceReconnected(registered(device(a)));
    },
    answer,
    report: (a, b) => report(a, b, 0),
    stale: (a, b) => report(a, b, 1),
    runs: async (a) => {
      const deviceId = device(a);
      const [record] = await records(deviceId, [1, 2, 3, 4]);
      if (!record) return;
      const task = await db
        .selectFrom('ota_task')
        .select('version_number')
        .where('task_id', '=', record.task_id)
        .executeTakeFirst();
      const version_number = task?.version_number ?? version;
      await db.updateTable('device').set({ version_number }).where('device_id', '=', deviceId).execute();
      await upgrades.versionReported(registered(deviceId), version_number);
    },
    minutes: async (a) => {
      clock.time += (1 + (a % 12)) * MINUTE;
    },
    hours: async (a) => {
      clock.time += (1 + (a % 8)) * 30 * MINUTE;
    },
    seconds: async (a) => {
      clock.time += 1_000 * (1 + (a % 20));
    },
    // The old lease is still valid: the new hub waits until it expires.
    restart: async (a) => {
      hubs[a % 2] = world.newDispatch();
    },
    deleteDevice: async (a, b) => {
      if (b % 4 === 0) await removeDeviceRows(db, [device(a)]);
    },
  };

  return {
    taskIds,
    deviceIds,
    tasks,
    take: (step: Step): Promise<unknown> => steps[step.op](step.a, step.b),
    /** Expects all tasks to end without further actions. */
    end: async (): Promise<void> => {
      for (let turn = 0; turn < 6; turn++) {
        clock.time += turn < 3 ? 20_000 : 10 * 24 * 60 * MINUTE;
        await hubs[0]?.poll();
      }
    },
    clear: async (): Promise<void> => {
      if (taskIds.length > 0) await db.deleteFrom('ota_task').where('task_id', 'in', taskIds).execute();
      await db.deleteFrom('device').where('device_id', 'in', deviceIds).execute();
    },
  };
};

export type History = Awaited<ReturnType<typeof createHistory>>;
