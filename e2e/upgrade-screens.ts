import { otaCalls } from '@device-center/contract';
import { createVersion } from '../packages/server/test/firmware-fixtures.ts';
import type { Hub } from '../packages/server/test/hub.ts';

export type UpgradeScreenIds = {
  versionId: string;
  usedVersionId: string;
  failedTaskId: string;
  waitingTaskId: string;
};

type Owner = { tenancyId: string; productId: string; deviceId: string };

/** Two versions, a scheduled task, and a task whose devices failed for several reasons. */
export const seedUpgrades = async (hub: Hub, { tenancyId, productId, deviceId }: Owner): Promise<UpgradeScreenIds> => {
  const { versionId } = await createVersion(hub, { productId, tenancyId }, '2.4.0-rc1');
  const used = await createVersion(hub, { productId, tenancyId }, '2.4.0');
  await hub.db.updateTable('device').set({ version_number: '2.3.1' }).where('product_id', '=', productId).execute();
  const asked = { deviceVersionId: used.versionId, versionNumber: ['2.3.1'], stages: [20, 100], stopPercent: 10 };
  const { taskId: failedTaskId } = await hub.admin.ok(otaCalls.addDeviceOtaTask, { taskName: '冷链-2-4-0', ...asked });
  const set = (reason: 3 | 4, id: string) =>
    hub.db
      .updateTable('ota_device')
      .set({ status: 6, reason, detail: 'HTTP 502', attempt: 1, stage: 1, told_at: Date.now(), ended_at: Date.now() })
      .where('task_id', '=', failedTaskId)
      .where('device_id', id === deviceId ? '=' : '<>', deviceId)
      .execute();
  await set(3, deviceId);
  await set(4, '');
  const later = {
    executeNow: 0,
    taskStart: Date.now() + 86_400_000,
    taskType: 2,
    cron: '0 3 * * 1',
    timezone: 'Asia/Shanghai',
  } as const;
  const other = await hub.create.product(tenancyId, { productName: '备用记录仪' });
  const spare = await createVersion(hub, { productId: other, tenancyId }, '3.0.0');
  const application = await hub.create.application(tenancyId);
  const spareDevice = await hub.create.device({ productId: other, applicationId: application });
  const { taskId: waitingTaskId } = await hub.admin.ok(otaCalls.addDeviceOtaTask, {
    taskName: 'weekly-3-0',
    deviceVersionId: spare.versionId,
    deviceListId: [spareDevice],
    taskRank: 7,
    ...later,
  });
  return { versionId, usedVersionId: used.versionId, failedTaskId, waitingTaskId };
};

export const upgradeScreensOf = (
  ids: UpgradeScreenIds & { productId: string; deviceId: string },
): Record<string, string> => ({
  versionList: '/OTAUpdate/softwareVersion',
  versionListNoMatch: '/OTAUpdate/softwareVersion?searchValue=nothing-like-this',
  versionAdd: `/add/addOta/0/0?productId=${ids.productId}`,
  versionEdit: `/add/addOta/${ids.versionId}/1`,
  versionView: `/add/addOta/${ids.usedVersionId}/2`,
  versionMissing: '/add/addOta/nobody/2',
  productFirmware: `/detail/detailProduct/${ids.productId}?tab=firmware`,
  taskList: '/OTAUpdate/updateMission',
  taskListNoMatch: '/OTAUpdate/updateMission?searchValue=nothing-like-this',
  taskAdd: `/add/addMission?versionId=${ids.versionId}`,
  taskAddDevices: `/add/addMission?versionId=${ids.versionId}&deviceIds=${ids.deviceId}`,
  taskRetry: `/add/addMission?taskId=${ids.failedTaskId}`,
  taskFailed: `/detail/updLogDetail/${ids.failedTaskId}`,
  taskLog: `/detail/updLogDetail/${ids.failedTaskId}?tab=log`,
  taskSettings: `/detail/updLogDetail/${ids.waitingTaskId}?tab=settings`,
  taskMissing: '/detail/updLogDetail/nobody',
  deviceUpgrades: `/detail/detailDevice/${ids.deviceId}?tab=upgrades`,
});
