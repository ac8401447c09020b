import { type OtaProgress, type UpgradeOrder, UpgradeStatus } from '@device-center/contract';
import type { Unit } from '../client-state.ts';
import { DeliveryError } from '../device-error.ts';

export type SayEvent = (event: string, output: OtaProgress) => Promise<void>;

const REPORT_EVERY_MS = 3_000;

const isDropped = (error: unknown): boolean => error instanceof DeliveryError && error.reason === 'dropped';

/** What the hub hears of an upgrade. */
export const createReports = (unit: Unit, say: SayEvent, every = REPORT_EVERY_MS) => {
  let last = { key: '', percent: 0, at: 0 };
  let taken: Promise<unknown> = Promise.resolve();
  const keyOf = ({ deviceOtaTaskId, attempt }: UpgradeOrder): string => `${deviceOtaTaskId} ${attempt}`;
  const named = ({ deviceOtaTaskId, attempt }: UpgradeOrder) => ({ deviceOtaTaskId, attempt });

  /** Whoever does not wait hears of a refusal by the device's events. */
  const send = (output: OtaProgress): Promise<void> => say('otaProgress', output);

  const tell = (order: UpgradeOrder, status: 2 | 3 | 4, percent: number): void => {
    last = { key: keyOf(order), percent, at: Date.now() };
    taken = send({ ...named(order), status, percent }).catch(() => undefined);
  };

  const sendUntilTaken = async (output: OtaProgress): Promise<void> => {
    for (;;) {
      const error: unknown = await send(output).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (!isDropped(error)) return;
    }
  };

  return {
    tell,
    /** Holds when the hub has the last report. */
    taken: (): Promise<unknown> => taken,
    /** How far the download is; now and then, and only to a hub that is there. Answers whether it was worth a word. */
    progress: (order: UpgradeOrder, percent: number): boolean => {
      const isFurther = last.key !== keyOf(order) || percent > last.percent;
      if (!isFurther || Date.now() - last.at < every) return false;
      if (unit.ready) tell(order, UpgradeStatus.downloading, percent);
      else last = { key: keyOf(order), percent, at: Date.now() };
      return true;
    },
    percentOf: (order: UpgradeOrder): number => (last.key === keyOf(order) ? last.percent : 0),
    /** A failure waits for the hub as long as it takes: also a full queue does not lose it. */
    reportUntilStored: (order: UpgradeOrder, failure: Pick<OtaProgress, 'percent' | 'reason' | 'detail'>): void =>
      void sendUntilTaken({ ...named(order), status: UpgradeStatus.failed, ...failure }),
  };
};
