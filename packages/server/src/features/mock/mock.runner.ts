import { randomUUID } from 'node:crypto';
import { type Bucket, MOCK_FIRST_DATA_ID, MOCK_TENANT, MockRunMode } from '@device-center/contract';
import type { Mock } from '@device-center/virtual-device';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { readDeviceRows } from '../../db/devices.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { bodiesOf, childrenOf, type MockRecord, sequenceOf } from './mock.queries.ts';

/** How long the device must have been offline: a page that reloads has it back before. */
const GRACE_MS = 5_000;
/** Whoever is the body says so again and again; after this long without, another hub may be. */
const CLAIM_MS = 15_000;
const RENEW_MS = 5_000;
/** After a start that failed. */
const AGAIN_MS = 30_000;
/** How long one stays away whose fault is to go away in the middle of an upgrade. */
const AWAY_MS = 600_000;

type Run = { mock: Mock; end: () => Promise<void>; settings: string };
type Wanted = MockRecord & { online: 1 | 2; presence_at: number; model_version: number };
type Deps = {
  db: Db;
  secrets: SecretBox;
  log: Log;
  hubUrl: () => string;
  /** Whether devices can connect here; where not, mock ones go where all the others do. */
  hasDeviceProcess: boolean;
};

/** What the run depends on: when it changes, the run begins anew. */
const settingsOf = ({ run_mode, every_s, sequence, defaults, upgrade_fault, model_version }: Wanted): string =>
  JSON.stringify([run_mode, every_s, sequence, defaults, upgrade_fault, model_version]);

/**
 * Mock devices that run on in the hub. The hub is the body only while nobody else is: it begins when the device has
 * been offline for a while, and ends as soon as its connection does, since whoever came then has it.
 */
export const createMockRunner = ({ db, secrets, log, hubUrl, hasDeviceProcess }: Deps) => {
  const me = randomUUID();
  const runs = new Map<string, Run>();
  const notBefore = new Map<string, number>();
  // By a clock that nobody sets, since a while is meant.
  const clock = (): number => performance.now();
  let renewedAt = 0;
  let stopping = false;

  const readWanted = (): Promise<Wanted[]> =>
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
      .set({ runner: me, runner_until: leaseUntil(CLAIM_MS, time) })
      .where('device_id', 'in', deviceIds)
      .where('run_in_hub', '=', 1)
      .where((row) => row.or([row('runner', '=', me), isLeaseFree('runner_until', AWAY_MS, time)]))
      .returning('device_id')
      .execute();
    return new Set(rows.map((row) => row.device_id));
  };

  const release = async (deviceId: string): Promise<void> => {
    await db
      .updateTable('mock_device')
      .set({ runner: '', runner_until: 0 })
      .where('device_id', '=', deviceId)
      .where('runner', '=', me)
      .execute();
  };

  /** It is nobody's for a while, whichever hub looks. */
  const keepAway = async (deviceId: string): Promise<void> => {
    await db
      .updateTable('mock_device')
      .set({ runner: '', runner_until: leaseUntil(AWAY_MS, databaseTime(db)) })
      .where('device_id', '=', deviceId)
      .where('runner', 'in', ['', me])
      .execute();
  };

  /** Beside the hub: its public address may lead somewhere else. */
  const connectAt = (bucket: Bucket): Bucket => {
    const { hostname: host, port } = new URL(hubUrl());
    return { ...bucket, protocol: 'ws', tls: false, host, port: Number(port), path: '/mqtt' };
  };

  const begin = async (wanted: Wanted): Promise<void> => {
    const { device_id: deviceId } = wanted;
    const { createMock, playSequence, startRepeat } = await import('@device-center/virtual-device');
    const [device] = await readDeviceRows(db, [deviceId]);
    if (!device) return;
    const [body, ...children] = await bodiesOf(db, secrets, [
      { device, mock: wanted },
      ...(await childrenOf(db, deviceId)),
    ]);
    if (!body) return;
    const steps = sequenceOf(wanted);
    const details = { ...body, children, tenantId: MOCK_TENANT, firstDataId: MOCK_FIRST_DATA_ID } as const;
    const way = hasDeviceProcess ? ({ transport: 'ws', connectAt } as const) : ({ transport: 'tcp' } as const);
    const mock = createMock({ hubUrl: hubUrl(), details, ...way });
    let stopSending = (): void => undefined;
    const end = async (): Promise<void> => {
      if (runs.get(deviceId)?.mock !== mock) return;
      runs.delete(deviceId);
      stopSending();
      await mock.stop();
      await release(deviceId);
    };
    runs.set(deviceId, { mock, end, settings: settingsOf(wanted) });
    const withoutRefetchIndicator = (work: Promise<void>): void =>
      void work.catch((error: unknown) => log.warn({ err: error }, 'a mock device'));
    const letGo = (): void => withoutRefetchIndicator(end());
    // One that restarts, as after an upgrade, is back by itself unless a step of that fails.
    let isRestarting = false;
    mock.device.on('offline', ({ reason }) => {
      isRestarting = reason === 'reconnecting';
      if (!isRestarting) letGo();
    });
    mock.device.on('step', ({ ok }) => {
      if (isRestarting && !ok) letGo();
    });
    mock.on('left', (who) => {
      if (who.deviceId === deviceId) withoutRefetchIndicator(keepAway(deviceId));
    });
    try {
      await mock.device.reconnect();
    } catch (error) {
      log.warn(
        { deviceId, reason: error instanceof Error ? error.message : String(error) },
        'a mock device cannot run',
      );
      notBefore.set(deviceId, clock() + AGAIN_MS);
      return end();
    }
    mock.mountAll();
    stopSending =
      wanted.run_mode === MockRunMode.sequence
        ? playSequence(mock, steps, { loop: true })
        : startRepeat(mock, { deviceIds: mock.deviceIds, everyMs: wanted.every_s * 1_000 });
  };

  /** Those that are no longer meant, are meant otherwise, or are another's. */
  const endOthers = async (wanted: Wanted[]): Promise<void> => {
    const meant = new Map(wanted.map((row) => [row.device_id, settingsOf(row)]));
    const isDue = clock() - renewedAt > RENEW_MS;
    const held = isDue ? await claim([...runs.keys()]) : new Set(runs.keys());
    if (isDue) renewedAt = clock();
    for (const [deviceId, { end, settings }] of runs)
      if (meant.get(deviceId) !== settings || !held.has(deviceId)) await end();
  };

  /** Where it went only in an hour, the time has been set back since. */
  const isLongGone = (wentAt: number): boolean => Math.abs(Date.now() - wentAt) >= GRACE_MS;

  const isFree = ({ device_id, online, presence_at }: Wanted): boolean =>
    online === 2 && isLongGone(presence_at) && (notBefore.get(device_id) ?? 0) <= clock() && !runs.has(device_id);

  return {
    /** Answers whether there are devices to run, now or once they have been offline for a while. */
    async look(): Promise<boolean> {
      if (stopping) return false;
      const wanted = await readWanted();
      await endOthers(wanted);
      const free = wanted.filter(isFree);
      const ours = await claim(free.map((row) => row.device_id));
      for (const row of free) {
        if (stopping || !ours.has(row.device_id)) continue;
        notBefore.delete(row.device_id);
        // One whose rows cannot be read keeps none of the others from running.
        await begin(row).catch((error: unknown) => {
          log.error({ err: error, deviceId: row.device_id }, 'a mock device cannot run');
          notBefore.set(row.device_id, clock() + AGAIN_MS);
        });
      }
      return wanted.length > 0;
    },
    async stop(): Promise<void> {
      stopping = true;
      await Promise.all([...runs.values()].map(({ end }) => end()));
    },
  };
};
