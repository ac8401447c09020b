import { type OtaProgress, type UpgradeOrder, UpgradeStatus } from '@device-center/contract';
import type { ClientState } from '../client-state.ts';
import { DeliveryError } from '../device-error.ts';

export type SendEvent = (event: string, output: OtaProgress) => Promise<void>;

const REPORT_EVERY_MS = 3_000;

const isDropped = (error: unknown): boolean => error instanceof DeliveryError && error.reason === 'dropped';

/** Reports the progress and result of an upgrade to the hub. */
export const createReports = (state: ClientState, sendEvent: SendEvent, every = REPORT_EVERY_MS) => {
  let last = { key: '', percent: 0, at: 0 };
  let lastStored: Promise<unknown> = Promise.resolve();
  const keyOf = ({ deviceOtaTaskId, attempt }: UpgradeOrder): string => `${deviceOtaTaskId} ${attempt}`;
  const idsOf = ({ deviceOtaTaskId, attempt }: UpgradeOrder) => ({ deviceOtaTaskId, attempt });

  /** Callers may ignore the promise: the device's events report a rejection too. */
  const send = (output: OtaProgress): Promise<void> => sendEvent('otaProgress', output);

  const report = (order: UpgradeOrder, status: 2 | 3 | 4, percent: number): void => {
    last = { key: keyOf(order), percent, at: Date.now() };
    lastStored = send({ ...idsOf(order), status, percent }).catch(() => undefined);
  };

  const sendUntilStored = async (output: OtaProgress): Promise<void> => {
    for (;;) {
      const error: unknown = await send(output).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (!isDropped(error)) return;
    }
  };

  return {
    report,
    /** Resolves when the hub has stored the last report. */
    lastStored: (): Promise<unknown> => lastStored,
    /** Reports download progress, rate-limited and only while online. Returns whether the report was due. */
    progress: (order: UpgradeOrder, percent: number): boolean => {
      const isFurther = last.key !== keyOf(order) || percent > last.percent;
      if (!isFurther || Date.now() - last.at < every) return false;
      if (state.ready) report(order, UpgradeStatus.downloading, percent);
      else last = { key: keyOf(order), percent, at: Date.now() };
      return true;
    },
    percentOf: (order: UpgradeOrder): number => (last.key === keyOf(order) ? last.percent : 0),
    /** Repeats a failure report until the hub has stored it, even if a full queue drops it. */
    reportUntilStored: (order: UpgradeOrder, failure: Pick<OtaProgress, 'percent' | 'reason' | 'detail'>): void =>
      void sendUntilStored({ ...idsOf(order), status: UpgradeStatus.failed, ...failure }),
  };
};
