import { otaCalls } from '@device-center/contract';
import { createProductFixture } from '../device-fixtures.ts';
import { createVersion } from '../firmware-fixtures.ts';
import { unique } from '../hub.ts';
import { OLD } from '../ota-fixtures.ts';
import type { Mutations } from './mutation-result.ts';

const LATER_MS = 3_600_000;

/** Successful mutations of upgrade tasks. */
export const otaMutations: Mutations = (hub, tenancyId) => {
  const { admin } = hub;
  const by = (targetId: string) => ({ username: 'admin', tenancyId, targetId });

  const fixture = async () => {
    const shop = await createProductFixture(hub, {}, tenancyId);
    const { versionId, versionNumber } = await createVersion(hub, shop);
    const deviceId = await hub.create.device({ productId: shop.productId, applicationId: shop.applicationId });
    await hub.db.updateTable('device').set({ version_number: OLD }).where('device_id', '=', deviceId).execute();
    return { ...shop, versionId, versionNumber, deviceId };
  };

  const added = async (executeNow: 0 | 1 = 0) => {
    const { versionId: deviceVersionId, versionNumber, deviceId } = await fixture();
    const sent = { taskName: unique('task'), deviceVersionId, deviceListId: [deviceId], executeNow };
    const later = executeNow === 0 ? { taskStart: Date.now() + LATER_MS } : {};
    const answer = await admin.call(otaCalls.addDeviceOtaTask, { ...sent, ...later });
    const taskId = answer.success ? answer.data.taskId : '';
    return { answer, taskId, deviceId, taskName: sent.taskName, versionNumber };
  };

  /** A finished task: all its devices have failed. */
  const over = async () => {
    const created = await added(1);
    await hub.db.updateTable('ota_task').set({ end_at: 1 }).where('task_id', '=', created.taskId).execute();
    for (;;) {
      const { taskStatus } = await admin.ok(otaCalls.getDeviceOtaTaskDetails, { taskId: created.taskId });
      if (taskStatus === 6) return created;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  const moved = (from: number, to: number) => ({ before: { taskStatus: from }, after: { taskStatus: to } });

  return {
    'ota.addDeviceOtaTask': async () => {
      const { answer, taskId, taskName, versionNumber } = await added();
      return { answer, expected: { ...by(taskId), after: { taskName, versionNumber, taskRank: 1, devices: 1 } } };
    },
    'ota.rehearseDeviceOtaTask': async () => {
      const { versionId: deviceVersionId, versionNumber } = await fixture();
      const taskName = unique('rehearsal');
      const sent = { taskName, deviceVersionId, devices: 2, offline: 2 };
      const answer = await admin.call(otaCalls.rehearseDeviceOtaTask, sent);
      const taskId = answer.success ? answer.data.taskId : '';
      return { answer, expected: { ...by(taskId), after: { taskName, versionNumber, devices: 2 } } };
    },
    'ota.updateDeviceOtaTaskStatus': async () => {
      const { taskId } = await added();
      const answer = await admin.call(otaCalls.updateDeviceOtaTaskStatus, { taskId, taskStatus: 1 });
      return { answer, expected: { ...by(taskId), ...moved(0, 1) } };
    },
    'ota.startOtaTaskStatus': async () => {
      const { taskId } = await added();
      return {
        answer: await admin.call(otaCalls.startOtaTaskStatus, { taskId }),
        expected: { ...by(taskId), ...moved(0, 1) },
      };
    },
    'ota.suspendOtaTaskStatus': async () => {
      const { taskId } = await added(1);
      return {
        answer: await admin.call(otaCalls.suspendOtaTaskStatus, { taskId }),
        expected: { ...by(taskId), ...moved(1, 3) },
      };
    },
    'ota.cancelOtaTask': async () => {
      const { taskId } = await added();
      return {
        answer: await admin.call(otaCalls.cancelOtaTask, { taskId }),
        expected: { ...by(taskId), ...moved(0, 4) },
      };
    },
    'ota.restartDeviceOtaTask': async () => {
      const { taskId } = await over();
      return {
        answer: await admin.call(otaCalls.restartDeviceOtaTask, { taskId }),
        expected: { ...by(taskId), ...moved(6, 1) },
      };
    },
    'ota.retryOtaForFailed': async () => {
      const { taskId } = await over();
      return {
        answer: await admin.call(otaCalls.retryOtaForFailed, { taskId }),
        expected: { ...by(taskId), ...moved(6, 1) },
      };
    },
    'ota.deviceOtaFirst': async () => {
      const { taskId, deviceId } = await added(1);
      const { list } = await admin.ok(otaCalls.deviceOtaList, { taskId });
      const deviceOtaTaskId = list[0]?.deviceOtaTaskId ?? '';
      const answer = await admin.call(otaCalls.deviceOtaFirst, { deviceOtaTaskId });
      return { answer, expected: { ...by(taskId), after: { first: deviceId } } };
    },
    'ota.deleteDeviceOtaTask': async () => {
      const { taskId } = await added();
      const answer = await admin.call(otaCalls.deleteDeviceOtaTask, { taskIds: [taskId] });
      return { answer, expected: { ...by(taskId), before: { taskStatus: 0 }, after: { taskStatus: 'gone' } } };
    },
  };
};
