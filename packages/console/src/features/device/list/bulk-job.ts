import { BATCH_MAX, controlCalls, type DeviceRow, deviceCalls } from '@device-center/contract';
import { create } from 'zustand';
import { ApiError } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { send, sendToDevice } from '../../../api/send.ts';
import { assertCommandDone } from './assert-command-done.ts';
import { isKicked } from './kicked.ts';

export type Target = Pick<DeviceRow, 'deviceId' | 'deviceName' | 'blacklisted' | 'kickedUntil'>;

/** An action on each of many devices. */
export type JobAction =
  | { kind: 'restart'; type: 1 | 2 }
  | { kind: 'blacklist'; reason: string }
  | { kind: 'unblack' }
  | { kind: 'release' }
  | { kind: 'delete' };

export type Failure = { target: Target; message: string };

export type Job = {
  action: JobAction;
  total: number;
  succeeded: number;
  failures: readonly Failure[];
  /** Not attempted, because the job was stopped. */
  skipped: readonly Target[];
  state: 'running' | 'stopping' | 'ended';
};

/** It outlives the page that started it: leaving the list does not stop a job. */
export const useJob = create<{ job: Job | undefined; minimised: boolean }>(() => ({
  job: undefined,
  minimised: false,
}));

export const isJobActive = (job: Job | undefined): job is Job => job !== undefined && job.state !== 'ended';

const change = (next: (job: Job) => Partial<Job>): void =>
  useJob.setState(({ job }) => (job ? { job: { ...job, ...next(job) } } : {}));

const warnBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** The devices of one call, which processes all of them, or throws and processes none. */
type Batch = { targets: readonly Target[]; run: (targets: readonly Target[]) => Promise<unknown> };

const idsOf = (targets: readonly Target[]): string[] => targets.map(({ deviceId }) => deviceId);
const markBlack =
  (op: 0 | 1, reason = '') =>
  (targets: readonly Target[]) =>
    send(controlCalls.markBlack, { idList: idsOf(targets), op, reason });

const restart = async ({ deviceId }: Target, type: 1 | 2): Promise<void> =>
  assertCommandDone(await sendToDevice(controlCalls.reboot, { deviceId, type }));

const liftRestrictions = async ({ deviceId, blacklisted }: Target): Promise<void> => {
  await send(controlCalls.kickOut, { deviceId, op: 0 });
  if (blacklisted === 1) await send(controlCalls.markBlack, { idList: [deviceId], op: 0 });
};

const inBatches = (targets: readonly Target[], run: Batch['run']): Batch[] =>
  Array.from({ length: Math.ceil(targets.length / BATCH_MAX) }, (_none, index) => ({
    targets: targets.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX),
    run,
  }));
const oneByOne = (targets: readonly Target[], run: (target: Target) => Promise<unknown>): Batch[] =>
  targets.map((target) => ({ targets: [target], run: () => run(target) }));

const batchesOf = (action: JobAction, targets: readonly Target[]): Batch[] => {
  switch (action.kind) {
    case 'restart':
      return oneByOne(targets, (target) => restart(target, action.type));
    case 'blacklist':
      return inBatches(targets, markBlack(1, action.reason));
    case 'unblack':
      return inBatches(targets, markBlack(0));
    case 'delete':
      return inBatches(targets, (batch) => send(deviceCalls.deleteDevices, { deviceIds: idsOf(batch) }));
    case 'release':
      return [
        ...inBatches(
          targets.filter((target) => !isKicked(target.kickedUntil)),
          markBlack(0),
        ),
        ...oneByOne(
          targets.filter((target) => isKicked(target.kickedUntil)),
          liftRestrictions,
        ),
      ];
  }
};

const CONCURRENCY = 4;

/** Once the operator has stopped the job, no worker starts another batch. */
const runWorkers = async (batches: readonly Batch[], workers: number, work: (batch: Batch) => Promise<void>) => {
  const queue = [...batches];
  const worker = async (): Promise<void> => {
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      if (useJob.getState().job?.state === 'running') await work(batch);
      else change(({ skipped }) => ({ skipped: [...skipped, ...(batch?.targets ?? [])] }));
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
};

const isRejection = (error: unknown): boolean => error instanceof ApiError && [400, 404, 409].includes(error.status);

const runBatch = async ({ targets, run }: Batch): Promise<void> => {
  try {
    await run(targets);
    change(({ succeeded }) => ({ succeeded: succeeded + targets.length }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      announceFailure(error);
      change(({ skipped }) => ({ state: 'stopping', skipped: [...skipped, ...targets] }));
    } else if (targets.length > 1 && isRejection(error)) {
      // One invalid device makes the hub reject the whole batch: retry each device alone to find it.
      const single = targets.map((target) => ({ targets: [target], run: () => run([target]) }));
      await runWorkers(single, CONCURRENCY, runBatch);
    } else {
      const message = error instanceof Error ? error.message : String(error);
      const failed = targets.map((target) => ({ target, message }));
      change(({ failures }) => ({ failures: [...failures, ...failed] }));
    }
  }
};

/** Starts a job unless one is active. Calls `onProgress` after every batch that may have changed something. */
export const startJob = async (
  action: JobAction,
  targets: readonly Target[],
  onProgress: () => void,
): Promise<void> => {
  if (isJobActive(useJob.getState().job) || targets.length === 0) return;
  const total = targets.length;
  useJob.setState({
    job: { action, total, succeeded: 0, failures: [], skipped: [], state: 'running' },
    minimised: false,
  });
  addEventListener('beforeunload', warnBeforeUnload);
  const batches = batchesOf(action, targets);
  const allSingle = batches.every((batch) => batch.targets.length === 1);
  await runWorkers(batches, allSingle ? CONCURRENCY : 1, async (batch) => {
    await runBatch(batch);
    if (!allSingle) onProgress();
  });
  removeEventListener('beforeunload', warnBeforeUnload);
  change(() => ({ state: 'ended' }));
  onProgress();
};

export const stopJob = (): void => change(({ state }) => ({ state: state === 'running' ? 'stopping' : state }));
export const minimiseJob = (minimised: boolean): void => useJob.setState({ minimised });
export const dismissJob = (): void => useJob.setState({ job: undefined, minimised: false });
