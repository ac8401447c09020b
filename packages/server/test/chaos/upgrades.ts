import { setTimeout as sleep } from 'node:timers/promises';
import { firmwareCalls, TaskStatus } from '@device-center/contract';
import { randomContent, uploaded } from '../firmware-fixtures.ts';
import { unique } from '../hub.ts';
import { addTask, taskOf } from '../ota-fixtures.ts';
import type { FleetDevice } from './fleet.ts';
import type { Installation } from './installation.ts';

const POLL_MS = 1_000;
const FIRMWARE_BYTES = 20_000;
/** The minimum: after it the hub repeats an upgrade order that was lost with a broker. */
export const SILENT_MINUTES = 1;

const ends: number[] = [TaskStatus.succeeded, TaskStatus.failed, TaskStatus.finished];
export const isEnded = (taskStatus: number): boolean => ends.includes(taskStatus);

/** Small upgrade tasks, one after the other, each for some devices; returns the tasks that the hub confirmed. */
export const createUpgrades = (
  { admin, shop }: Installation,
  members: FleetDevice[],
  { devices, pauseMs }: { devices: number; pauseMs: number },
) => {
  const taskIds: string[] = [];
  let round = 0;

  const isOver = async (taskId: string): Promise<boolean> => isEnded((await taskOf(admin, taskId)).taskStatus);

  const upgrade = async (): Promise<void> => {
    round++;
    const { firmwareUri, nickName } = await uploaded(admin, randomContent(FIRMWARE_BYTES));
    const { versionId } = await admin.ok(firmwareCalls.addDeviceOtaVersion, {
      versionName: unique('version'),
      versionNumber: `1.0.${round}`,
      productId: shop.productId,
      firmwareUri,
      nickName,
    });
    const chosen = Array.from({ length: devices }, (_, index) => members[(round * devices + index) % members.length]);
    const deviceListId = chosen.flatMap((member) => (member ? [member.device.deviceId] : []));
    taskIds.push(await addTask(admin, versionId, { deviceListId, timeout: SILENT_MINUTES, retries: 3, perMinute: 60 }));
  };

  return {
    taskIds,
    /** Retries a request that was rejected or interrupted. */
    run: async (isEnd: () => boolean): Promise<void> => {
      while (!isEnd()) {
        const before = taskIds.length;
        await upgrade().catch(() => undefined);
        const taskId = taskIds.at(-1);
        if (taskIds.length === before) {
          await sleep(POLL_MS);
          continue;
        }
        while (!isEnd() && taskId && !(await isOver(taskId).catch(() => false))) await sleep(POLL_MS);
        for (const until = Date.now() + pauseMs; !isEnd() && Date.now() < until; ) await sleep(POLL_MS);
      }
    },
  };
};
