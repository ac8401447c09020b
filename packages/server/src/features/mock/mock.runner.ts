import { randomUUID } from 'node:crypto';
import { type Bucket, MOCK_FIRST_DATA_ID, MOCK_TENANT, MockRunMode } from '@device-center/contract';
import type { Mock } from '@device-center/virtual-device';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import { readDeviceRows } from '../../domain/device/devices.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { childrenOf, type MockRecord, profilesOf, sequenceOf } from './mock.queries.ts';

/** How long the device must have been offline: a console page that reloads reconnects it earlier. */
const GRACE_MS = 5_000;
/** Without a renewal for this long another hub may run the device. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** The delay after a failed start. */
const RETRY_MS = 30_000;
/** How long a device with the fault "offline during an upgrade" stays offline. */
const OFFLINE_FAULT_MS = 600_000;

type Run = { mock: Mock; end: () => Promise<void>; settings: string };
type RunnableMock = MockRecord & { online: 1 | 2; presence_at: number; model_version: number };
type Deps = {
  db: Db;
  secrets: SecretBox;
  log: Log;
  hubUrl: () => string;
  /** Whether this hub accepts device connections; if not, mock devices use the address of all other devices. */
  hasDeviceProcess: boolean;
};

/** Everything that a run depends on: when it changes, the run is restarted. */
const settingsOf = ({ run_mode, every_s, sequence, defaults, upgrade_fault, model_version }: RunnableMock): string =>
  JSON.stringify([run_mode, every_s, sequence, defaults, upgrade_fault, model_version]);

/**
 * Runs mock devices in the hub while no console page does. A run starts when the device has been offline for a while.
 * It ends with its connection, because a console page has then taken the connection over.
 */
export const createMockRunner = ({ db, secrets, log, hubUrl, hasDeviceProcess }: Deps) => {
  const runnerId = randomUUID();
  const runs = new Map<string, Run>();
  const notBefore = new Map<string, number>();
  // A monotonic clock, because only durations are measured.
  const clock = (): number => performance.now();
  let renewedAt = 0;
  let stopping = false;

  const readRunnable = (): Promise<RunnableMock[]> =>
    db
      .selectFrom('mock_device')
      .innerJoin('device', 'device.device_id', 'mock_device.device_id')
      .innerJoin('product', 'product.product_id', 'device.product_id')
      .selectAll('mock_device')
      .select(['device.online', 'device.presence_at', 'product.model_version'])
      .where('run_in_hub', '=', 1)
      .where('gateway_id', '=', '')
      .execute();

  const claim = async (deviceIds: string[]): Promise<Set<string>> => {
    if (deviceIds.length === 0) return new Set();
    const time = databaseTime(db);
    const rows = await db
      .updateTable('mock_device')
      .set({ runner: runnerId, runner_until: leaseUntil(LEASE_MS, time) })
      .where('device_id', 'in', deviceIds)
      .where('run_in_hub', '=', 1)
      .where((row) => row.or([row('runner', '=', runnerId), isLeaseFree('runner_until', OFFLINE_FAULT_MS, time)]))
      .returning('device_id')
      .execute();
    return new Set(rows.map((row) => row.device_id));
  };

  const release = async (deviceId: string): Promise<void> => {
    await db
      .updateTable('mock_device')
      .set({ runner: '', runner_until: 0 })
      .where('device_id', '=', deviceId)
      .where('runner', '=', runnerId)
      .execute();
  };

  /** Sets a lease without a runner, so that no hub starts the device until it expires. */
  const blockRun = async (deviceId: string): Promise<void> => {
    await db
      .updateTable('mock_device')
      .set({ runner: '', runner_until: leaseUntil(OFFLINE_FAULT_MS, databaseTime(db)) })
      .where('device_id', '=', deviceId)
      .where('runner', 'in', ['', runnerId])
      .execute();
  };

  /** Connects to this hub directly, because its public address may lead to another one. */
  const localBucket = (bucket: Bucket): Bucket => {
    const { hostname: host, port } = new URL(hubUrl());
    return { ...bucket, protocol: 'ws', tls: false, host, port: Number(port), path: '/mqtt' };
  };

  const startRun = async (runnable: RunnableMock): Promise<void> => {
    const { device_id: deviceId } = runnable;
    const { createMock, playSequence, startRepeat } = await import('@device-center/virtual-device');
    const [device] = await readDeviceRows(db, [deviceId]);
    if (!device) return;
    const [profile, ...children] = await profilesOf(db, secrets, [
      { device, mock: runnable },
      ...(await childrenOf(db, deviceId)),
    ]);
    if (!profile) return;
    const steps = sequenceOf(runnable);
    const details = { ...profile, children, tenantId: MOCK_TENANT, firstDataId: MOCK_FIRST_DATA_ID } as const;
    const connection = hasDeviceProcess
      ? ({ transport: 'ws', connectAt: localBucket } as const)
      : ({ transport: 'tcp' } as const);
    const mock = createMock({ hubUrl: hubUrl(), details, ...connection });
    let stopSending = (): void => undefined;
    const end = async (): Promise<void> => {
      if (runs.get(deviceId)?.mock !== mock) return;
      runs.delete(deviceId);
      stopSending();
      await mock.stop();
      await release(deviceId);
    };
    runs.set(deviceId, { mock, end, settings: settingsOf(runnable) });
    const runInBackground = (work: Promise<void>): void =>
      void work.catch((error: unknown) => log.warn({ err: error, deviceId }, 'mock device background task failed'));
    const endRun = (): void => runInBackground(end());
    // A device that restarts, as after an upgrade, reconnects by itself unless a login step fails.
    let isRestarting = false;
    mock.device.on('offline', ({ reason }) => {
      isRestarting = reason === 'reconnecting';
      if (!isRestarting) endRun();
    });
    mock.device.on('step', ({ ok }) => {
      if (isRestarting && !ok) endRun();
    });
    mock.on('left', (device) => {
      if (device.deviceId === deviceId) runInBackground(blockRun(deviceId));
    });
    try {
      await mock.device.reconnect();
    } catch (error) {
      log.warn({ deviceId, reason: error instanceof Error ? error.message : String(error) }, 'mock device not started');
      notBefore.set(deviceId, clock() + RETRY_MS);
      return end();
    }
    mock.mountAll();
    stopSending =
      runnable.run_mode === MockRunMode.sequence
        ? playSequence(mock, steps, { loop: true })
        : startRepeat(mock, { deviceIds: mock.deviceIds, everyMs: runnable.every_s * 1_000 });
  };

  /** Ends runs of devices that are no longer to run, whose settings have changed, or whose lease was lost. */
  const endOutdated = async (runnable: RunnableMock[]): Promise<void> => {
    const currentSettings = new Map(runnable.map((row) => [row.device_id, settingsOf(row)]));
    const isDue = clock() - renewedAt > RENEW_MS;
    const leased = isDue ? await claim([...runs.keys()]) : new Set(runs.keys());
    if (isDue) renewedAt = clock();
    for (const [deviceId, { end, settings }] of runs)
      if (currentSettings.get(deviceId) !== settings || !leased.has(deviceId)) await end();
  };

  /** A time in the future also counts: the clock has been set back since. */
  const isLongOffline = (offlineSince: number): boolean => Math.abs(Date.now() - offlineSince) >= GRACE_MS;

  const isStartable = ({ device_id, online, presence_at }: RunnableMock): boolean =>
    online === 2 && isLongOffline(presence_at) && (notBefore.get(device_id) ?? 0) <= clock() && !runs.has(device_id);

  return {
    /** Returns whether there are devices to run, now or after their grace period. */
    async poll(): Promise<boolean> {
      if (stopping) return false;
      const runnable = await readRunnable();
      await endOutdated(runnable);
      const startable = runnable.filter(isStartable);
      const claimed = await claim(startable.map((row) => row.device_id));
      for (const row of startable) {
        if (stopping || !claimed.has(row.device_id)) continue;
        notBefore.delete(row.device_id);
        // A device whose rows cannot be read must not prevent the others from running.
        await startRun(row).catch((error: unknown) => {
          log.error({ err: error, deviceId: row.device_id }, 'mock device not started');
          notBefore.set(row.device_id, clock() + RETRY_MS);
        });
      }
      return runnable.length > 0;
    },
    async stop(): Promise<void> {
      stopping = true;
      await Promise.all([...runs.values()].map(({ end }) => end()));
    },
  };
};
