import { type UpgradeCancel, type UpgradeOrder, UpgradeStatus } from '@device-center/contract';
import type { BackoffOptions } from '../backoff.ts';
import type { Unit } from '../client-state.ts';
import { DeviceError } from '../device-error.ts';
import type { HubHttp } from '../hub-http.ts';
import { download } from './download.ts';
import { UpgradeFailure, wordsOf } from './failure.ts';
import { createKeyRing } from './key-ring.ts';
import { verifyManifest } from './manifest.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { createReports, type SayEvent } from './reports.ts';
import { createCancelToken, type Stop } from './stop.ts';
import type { FirmwareFile, FirmwareStorage, UpgradeOptions, UpgradeState } from './types.ts';
import { verifyBytes } from './verify-bytes.ts';

export type UpgradeDeps = {
  unit: Unit;
  options: UpgradeOptions;
  http: HubHttp;
  backoff: BackoffOptions;
  say: SayEvent;
  /** Tells the hub which version runs. */
  identify: () => void;
  /** Comes back with what `unit.info` now says. */
  restart: () => void;
};

type Job = { order: UpgradeOrder; stop: Stop; phase: 'downloading' | 'verifying' | 'installing'; halted: boolean };

const TRIES = 10;
const LAST_WORD_MS = 2_000;
const steps = { downloading: 'download', verifying: 'verification', installing: 'install' } as const;

const fileOf = (storage: FirmwareStorage, size: number): FirmwareFile => ({
  size,
  read: storage.read,
  bytes: async () => {
    const whole = new Uint8Array(size);
    let place = 0;
    for await (const piece of storage.read()) {
      whole.set(piece, place);
      place += piece.length;
    }
    return whole;
  },
  ...(storage.path === undefined ? {} : { path: storage.path }),
});

/** The device's side of an upgrade: told by the hub, it downloads, verifies, installs and comes back. */
export const createUpgrade = ({ unit, options, http, backoff, say, identify, restart }: UpgradeDeps) => {
  const storage = options.storage ?? createMemoryStorage();
  const keys = createKeyRing(http, options.key);
  const reports = createReports(unit, say, options.reportEvery);
  let job: Job | null = null;
  /** Jobs share one storage: the next begins when the one before has let go of it. */
  let letGo: Promise<void> = Promise.resolve();

  const show = (state: UpgradeState): void => unit.events.emit('upgrade', state);

  /** Bytes that stay behind harm nobody: they are not those of the next order. */
  const dropBytes = async (): Promise<void> => {
    try {
      await storage.clear();
    } catch (error) {
      unit.events.emit('error', { error });
    }
  };

  const enter = (current: Job, phase: Job['phase']): void => {
    current.stop.check();
    current.phase = phase;
    const percent = phase === 'downloading' ? 0 : 100;
    reports.tell(current.order, UpgradeStatus[phase], percent);
    show({ order: current.order, phase, percent });
  };

  /** The cheap half of the verification: a firmware that is not for this device is not even downloaded. */
  const judge = async ({ order, stop }: Job) => {
    const key = await keys.find(order.manifest.keyId, stop, backoff);
    const { productId, versionNumber: running = '' } = unit.info;
    const allowOlder = options.allowOlder === true || order.allowOlder === true;
    return verifyManifest(order, { key, productId, running, allowOlder });
  };

  const fetchBytes = async (current: Job): Promise<void> => {
    const { order, stop } = current;
    enter(current, 'downloading');
    await download({
      order,
      storage,
      http,
      token: () => unit.session?.token ?? '',
      downloadFrom: options.downloadFrom ?? ((url) => url),
      backoff,
      tries: options.tries ?? TRIES,
      stop,
      onBytes: (have) => {
        const percent = Math.floor((have / order.size) * 100);
        if (reports.progress(order, percent)) show({ order, phase: 'downloading', percent });
      },
    });
  };

  const install = async (current: Job): Promise<void> => {
    const { order } = current;
    enter(current, 'installing');
    try {
      const installed = await options.install(fileOf(storage, order.size), order);
      unit.info = { ...unit.info, versionNumber: installed?.versionNumber ?? order.versionNumber };
    } catch (error) {
      throw new UpgradeFailure('install', wordsOf(error));
    }
    await dropBytes();
    // Else the hub would hear of the new version before it heard of the installation.
    await Promise.race([reports.taken(), current.stop.wait(LAST_WORD_MS)]);
    show({ order, phase: 'installed', percent: 100 });
  };

  const fail = async ({ order, phase }: Job, error: unknown): Promise<void> => {
    const failure = error instanceof UpgradeFailure ? error : new UpgradeFailure(steps[phase], wordsOf(error));
    const { reason, message: detail } = failure;
    const percent = reports.percentOf(order);
    // What was received is wrong, and would be wrong the next time too.
    if (reason === 4) await dropBytes();
    reports.reportUntilStored(order, { percent, reason, detail });
    show({ order, phase: 'failed', percent, reason, detail });
  };

  const carryOut = async (current: Job): Promise<void> => {
    try {
      current.stop.check();
      const said = await judge(current);
      await fetchBytes(current);
      enter(current, 'verifying');
      await verifyBytes(storage, said, current.stop);
      await install(current);
    } catch (error) {
      if (!current.stop.stopped) await fail(current, error);
      return;
    } finally {
      if (job === current) job = null;
    }
    if (!current.halted) restart();
  };

  const takeTurn = (work: () => Promise<void> | void): void => {
    letGo = letGo.then(work).catch((error: unknown) => unit.events.emit('error', { error }));
  };

  /** Since the order was answered the one before may have gone on to what nothing stops, or to its end. */
  const begin = (order: UpgradeOrder): void => {
    if (job && job.phase !== 'downloading') {
      takeTurn(() => begin(order));
      return;
    }
    if (unit.info.versionNumber === order.versionNumber) {
      identify();
      return;
    }
    job?.stop.stop();
    const next: Job = { order, stop: createCancelToken(), phase: 'downloading', halted: false };
    job = next;
    takeTurn(() => carryOut(next));
  };

  const refuseWhileBusy = (): void => {
    if (job && job.phase !== 'downloading') throw new DeviceError('BUSY', `${job.phase} ${job.order.versionNumber}`);
  };

  const isOfJob = (named: { deviceOtaTaskId: string }): boolean =>
    job !== null && job.order.deviceOtaTaskId === named.deviceOtaTaskId;

  return {
    /** The service `ota`. Answers what is to happen when the hub has the answer. */
    order: async (order: UpgradeOrder): Promise<() => void> => {
      refuseWhileBusy();
      const isAttemptKnown = isOfJob(order) && order.attempt <= (job?.order.attempt ?? 0);
      if (isAttemptKnown) return () => undefined;
      const isAccepted = await options.accept?.(order);
      refuseWhileBusy();
      if (isAccepted === false) return () => undefined;
      return unit.info.versionNumber === order.versionNumber ? identify : () => begin(order);
    },

    /** The service `otaCancel`. What is not under way needs no end. */
    cancel: (named: UpgradeCancel): void => {
      if (!job || !isOfJob(named) || named.attempt < job.order.attempt) return;
      if (job.phase === 'installing') throw new DeviceError('BUSY', `installing ${job.order.versionNumber}`);
      const { order, stop } = job;
      job = null;
      stop.stop();
      takeTurn(dropBytes);
      show({ order, phase: 'cancelled', percent: reports.percentOf(order) });
    },

    /** The device stops: what was downloaded stays, for when it is told again. */
    halt: (): void => {
      if (!job) return;
      job.halted = true;
      if (job.phase !== 'installing') job.stop.stop();
    },
  };
};

export type Upgrade = ReturnType<typeof createUpgrade>;
