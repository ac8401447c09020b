import { BATCH_MAX, controlCalls, type DeviceRow, deviceCalls } from '@device-center/contract';
import { create } from 'zustand';
import { ApiError } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { send, sendToDevice } from '../../../api/send.ts';
import { expectDone } from './expect-done.ts';
import { isKicked } from './kicked.ts';

export type Target = Pick<DeviceRow, 'deviceId' | 'deviceName' | 'blacklisted' | 'kickedUntil'>;

/** What is to be done to each of many devices. */
export type Order =
  | { kind: 'restart'; type: 1 | 2 }
  | { kind: 'blacklist'; reason: string }
  | { kind: 'unblack' }
  | { kind: 'release' }
  | { kind: 'delete' };

export type Failure = { target: Target; message: string };

export type Job = {
  order: Order;
  total: number;
  succeeded: number;
  failures: readonly Failure[];
  /** Not tried, as the job was stopped. */
  left: readonly Target[];
  state: 'running' | 'stopping' | 'ended';
};

/** It outlives the page that started it: leaving the list does not stop a job. */
export const useJob = create<{ job: Job | undefined; minimised: boolean }>(() => ({
  job: undefined,
  minimised: false,
}));

export const isAtWork = (job: Job | undefined): job is Job => job !== undefined && job.state !== 'ended';

const change = (next: (job: Job) => Partial<Job>): void =>
  useJob.setState(({ job }) => (job ? { job: { ...job, ...next(job) } } : {}));

const askBrowserToStay = (event: BeforeUnloadEvent): void => event.preventDefault();

/** One call for all of a piece: it does them all, or throws and does none. */
type Piece = { targets: readonly Target[]; run: (targets: readonly Target[]) => Promise<unknown> };

const idsOf = (targets: readonly Target[]): string[] => targets.map(({ deviceId }) => deviceId);
const markBlack =
  (op: 0 | 1, reason = '') =>
  (targets: readonly Target[]) =>
    send(controlCalls.markBlack, { idList: idsOf(targets), op, reason });

const restart = async ({ deviceId }: Target, type: 1 | 2): Promise<void> =>
  expectDone(await sendToDevice(controlCalls.reboot, { deviceId, type }));

const liftAll = async ({ deviceId, blacklisted }: Target): Promise<void> => {
  await send(controlCalls.kickOut, { deviceId, op: 0 });
  if (blacklisted === 1) await send(controlCalls.markBlack, { idList: [deviceId], op: 0 });
};

const together = (targets: readonly Target[], run: Piece['run']): Piece[] =>
  Array.from({ length: Math.ceil(targets.length / BATCH_MAX) }, (_none, index) => ({
    targets: targets.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX),
    run,
  }));
const apart = (targets: readonly Target[], run: (target: Target) => Promise<unknown>): Piece[] =>
  targets.map((target) => ({ targets: [target], run: () => run(target) }));

const piecesOf = (order: Order, targets: readonly Target[]): Piece[] => {
  switch (order.kind) {
    case 'restart':
      return apart(targets, (target) => restart(target, order.type));
    case 'blacklist':
      return together(targets, markBlack(1, order.reason));
    case 'unblack':
      return together(targets, markBlack(0));
    case 'delete':
      return together(targets, (piece) => send(deviceCalls.deleteDevices, { deviceIds: idsOf(piece) }));
    case 'release':
      return [
        ...together(
          targets.filter((target) => !isKicked(target.kickedUntil)),
          markBlack(0),
        ),
        ...apart(
          targets.filter((target) => isKicked(target.kickedUntil)),
          liftAll,
        ),
      ];
  }
};

const AT_A_TIME = 4;

/** Nobody takes a new piece once the operator has said stop. */
const workThrough = async (pieces: readonly Piece[], workers: number, work: (piece: Piece) => Promise<void>) => {
  const waiting = [...pieces];
  const worker = async (): Promise<void> => {
    for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
      if (useJob.getState().job?.state === 'running') await work(piece);
      else change(({ left }) => ({ left: [...left, ...(piece?.targets ?? [])] }));
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
};

const isRefusal = (error: unknown): boolean => error instanceof ApiError && [400, 404, 409].includes(error.status);

const runPiece = async ({ targets, run }: Piece): Promise<void> => {
  try {
    await run(targets);
    change(({ succeeded }) => ({ succeeded: succeeded + targets.length }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      announceFailure(error);
      change(({ left }) => ({ state: 'stopping', left: [...left, ...targets] }));
    } else if (targets.length > 1 && isRefusal(error)) {
      // One bad device makes the hub refuse the whole piece: alone, each shows whether it is the one.
      const single = targets.map((target) => ({ targets: [target], run: () => run([target]) }));
      await workThrough(single, AT_A_TIME, runPiece);
    } else {
      const message = error instanceof Error ? error.message : String(error);
      const failed = targets.map((target) => ({ target, message }));
      change(({ failures }) => ({ failures: [...failures, ...failed] }));
    }
  }
};

/** One job at a time. `onProgress` is told after every piece that may have changed something. */
export const startJob = async (order: Order, targets: readonly Target[], onProgress: () => void): Promise<void> => {
  if (isAtWork(useJob.getState().job) || targets.length === 0) return;
  const total = targets.length;
  useJob.setState({
    job: { order, total, succeeded: 0, failures: [], left: [], state: 'running' },
    minimised: false,
  });
  addEventListener('beforeunload', askBrowserToStay);
  const pieces = piecesOf(order, targets);
  const alone = pieces.every((piece) => piece.targets.length === 1);
  await workThrough(pieces, alone ? AT_A_TIME : 1, async (piece) => {
    await runPiece(piece);
    if (!alone) onProgress();
  });
  removeEventListener('beforeunload', askBrowserToStay);
  change(() => ({ state: 'ended' }));
  onProgress();
};

export const stopJob = (): void => change(({ state }) => ({ state: state === 'running' ? 'stopping' : state }));
export const minimiseJob = (minimised: boolean): void => useJob.setState({ minimised });
export const dismissJob = (): void => useJob.setState({ job: undefined, minimised: false });
