import { type UpgradeCancel, type UpgradeOrder, UpgradeStatus } from '@device-center/contract';
import type { BackoffOptions } from '../backoff.ts';
import type { ClientState } from '../client-state.ts';
import { DeviceError } from '../device-error.ts';
import type { HubHttp } from '../hub-http.ts';
import { type CancelToken, createCancelToken } from './cancel-token.ts';
import { download } from './download.ts';
import { errorMessage, UpgradeFailure } from './failure.ts';
import { createKeyRing } from './key-ring.ts';
import { verifyManifest } from './manifest.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { createReports, type SendEvent } from './reports.ts';
import type { FirmwareFile, FirmwareStorage, UpgradeOptions, UpgradeState } from './types.ts';
import { verifyBytes } from './verify-bytes.ts';

export type UpgradeDeps = {
  state: ClientState;
  options: UpgradeOptions;
  http: HubHttp;
  backoff: BackoffOptions;
  sendEvent: SendEvent;
  /** Reports the running version to the hub. */
  identify: () => void;
  /** Logs in again with the updated `state.info`. */
  restart: () => void;
};

type Job = {
  order: UpgradeOrder;
  cancelToken: CancelToken;
  phase: 'downloading' | 'verifying' | 'installing';
  halted: boolean;
};

const ATTEMPTS_MAX = 10;
const LAST_REPORT_WAIT_MS = 2_000;
const steps = { downloading: 'download', verifying: 'verification', installing: 'install' } as const;

const fileOf = (storage: FirmwareStorage, size: number): FirmwareFile => ({
  size,
  read: storage.read,
  bytes: async () => {
    const whole = new Uint8Array(size);
    let offset = 0;
    for await (const chunk of storage.read()) {
      whole.set(chunk, offset);
      offset += chunk.length;
    }
    return whole;
  },
  ...(storage.path === undefined ? {} : { path: storage.path }),
});

/** Carries out upgrade orders: downloads, verifies and installs firmware, then restarts the session. */
export const createUpgrade = ({ state, options, http, backoff, sendEvent, identify, restart }: UpgradeDeps) => {
  const storage = options.storage ?? createMemoryStorage();
  const keyRing = createKeyRing(http, options.key);
  const reports = createReports(state, sendEvent, options.reportEvery);
  let job: Job | null = null;
  /** Jobs share one storage: the next starts when the previous one has released it. */
  let storageReleased: Promise<void> = Promise.resolve();

  const emitState = (upgradeState: UpgradeState): void => state.events.emit('upgrade', upgradeState);

  /** A failure is harmless: the storage discards bytes of another firmware when it opens the next one. */
  const clearStorage = async (): Promise<void> => {
    try {
      await storage.clear();
    } catch (error) {
      state.events.emit('error', { error });
    }
  };

  const enterPhase = (current: Job, phase: Job['phase']): void => {
    current.cancelToken.throwIfCancelled();
    current.phase = phase;
    const percent = phase === 'downloading' ? 0 : 100;
    reports.report(current.order, UpgradeStatus[phase], percent);
    emitState({ order: current.order, phase, percent });
  };

  /** Verifies the manifest before the download, so that firmware for another device is not downloaded. */
  const verifyOrder = async ({ order, cancelToken }: Job) => {
    const key = await keyRing.find(order.manifest.keyId, cancelToken, backoff);
    const { productId, versionNumber: runningVersion = '' } = state.info;
    const allowOlder = options.allowOlder === true || order.allowOlder === true;
    return verifyManifest(order, { key, productId, runningVersion, allowOlder });
  };

  const downloadFirmware = async (current: Job): Promise<void> => {
    const { order, cancelToken } = current;
    enterPhase(current, 'downloading');
    await download({
      order,
      storage,
      http,
      token: () => state.session?.token ?? '',
      downloadFrom: options.downloadFrom ?? ((url) => url),
      backoff,
      maxAttempts: options.tries ?? ATTEMPTS_MAX,
      cancelToken,
      onBytes: (received) => {
        const percent = Math.floor((received / order.size) * 100);
        if (reports.progress(order, percent)) emitState({ order, phase: 'downloading', percent });
      },
    });
  };

  const install = async (current: Job): Promise<void> => {
    const { order } = current;
    enterPhase(current, 'installing');
    try {
      const installed = await options.install(fileOf(storage, order.size), order);
      state.info = { ...state.info, versionNumber: installed?.versionNumber ?? order.versionNumber };
    } catch (error) {
      throw new UpgradeFailure('install', errorMessage(error));
    }
    await clearStorage();
    // Wait for the report: otherwise the login with the new version could reach the hub before it.
    await Promise.race([reports.lastStored(), current.cancelToken.wait(LAST_REPORT_WAIT_MS)]);
    emitState({ order, phase: 'installed', percent: 100 });
  };

  const fail = async ({ order, phase }: Job, error: unknown): Promise<void> => {
    const failure = error instanceof UpgradeFailure ? error : new UpgradeFailure(steps[phase], errorMessage(error));
    const { reason, message: detail } = failure;
    const percent = reports.percentOf(order);
    // Failed verification: a retry with the same bytes would fail again.
    if (reason === 4) await clearStorage();
    reports.reportUntilStored(order, { percent, reason, detail });
    emitState({ order, phase: 'failed', percent, reason, detail });
  };

  const runJob = async (current: Job): Promise<void> => {
    try {
      current.cancelToken.throwIfCancelled();
      const manifest = await verifyOrder(current);
      await downloadFirmware(current);
      enterPhase(current, 'verifying');
      await verifyBytes(storage, manifest, current.cancelToken);
      await install(current);
    } catch (error) {
      if (!current.cancelToken.cancelled) await fail(current, error);
      return;
    } finally {
      if (job === current) job = null;
    }
    if (!current.halted) restart();
  };

  const runExclusive = (work: () => Promise<void> | void): void => {
    storageReleased = storageReleased.then(work).catch((error: unknown) => state.events.emit('error', { error }));
  };

  /** Runs after the hub acknowledged the order: by then the previous job may have started to install, or ended. */
  const start = (order: UpgradeOrder): void => {
    if (job && job.phase !== 'downloading') {
      runExclusive(() => start(order));
      return;
    }
    if (state.info.versionNumber === order.versionNumber) {
      identify();
      return;
    }
    job?.cancelToken.cancel();
    const next: Job = { order, cancelToken: createCancelToken(), phase: 'downloading', halted: false };
    job = next;
    runExclusive(() => runJob(next));
  };

  const rejectWhileBusy = (): void => {
    if (job && job.phase !== 'downloading') throw new DeviceError('BUSY', `${job.phase} ${job.order.versionNumber}`);
  };

  const isCurrentTask = (target: { deviceOtaTaskId: string }): boolean =>
    job !== null && job.order.deviceOtaTaskId === target.deviceOtaTaskId;

  return {
    /** Handles the service `ota`. Returns what to do after the hub has acknowledged the response. */
    order: async (order: UpgradeOrder): Promise<() => void> => {
      rejectWhileBusy();
      const isAttemptKnown = isCurrentTask(order) && order.attempt <= (job?.order.attempt ?? 0);
      if (isAttemptKnown) return () => undefined;
      const isAccepted = await options.accept?.(order);
      rejectWhileBusy();
      if (isAccepted === false) return () => undefined;
      return state.info.versionNumber === order.versionNumber ? identify : () => start(order);
    },

    /** Handles the service `otaCancel`. Ignores an upgrade that is not in progress. */
    cancel: (target: UpgradeCancel): void => {
      if (!job || !isCurrentTask(target) || target.attempt < job.order.attempt) return;
      if (job.phase === 'installing') throw new DeviceError('BUSY', `installing ${job.order.versionNumber}`);
      const { order, cancelToken } = job;
      job = null;
      cancelToken.cancel();
      runExclusive(clearStorage);
      emitState({ order, phase: 'cancelled', percent: reports.percentOf(order) });
    },

    /** The device stops: keeps the downloaded bytes for the next order. */
    halt: (): void => {
      if (!job) return;
      job.halted = true;
      if (job.phase !== 'installing') job.cancelToken.cancel();
    },
  };
};

export type Upgrade = ReturnType<typeof createUpgrade>;
