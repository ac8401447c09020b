import { FailReason } from '@device-center/contract';
import type { DemoRelease, DemoUpgrade } from './company.ts';

/** Firmware and upgrades of the building operator. */

const lampFailures: NonNullable<DemoUpgrade['failures']> = {
  3: { reason: FailReason.timeout, detail: 'no report' },
  9: { reason: FailReason.download, detail: '下载中断：信号弱，重连 3 次未成功' },
  14: { reason: FailReason.install, detail: '写入失败：扇区 0x1A000 校验错误' },
  20: { reason: FailReason.download, detail: '下载中断：电源被切断' },
};
export const lampRuns = (index: number): string => (lampFailures[index] ? '3.1.0' : '3.1.2');

const FIRST_STAGE = 4;
const sensorFailure = 1;
export const environmentRuns = (index: number): string =>
  index < FIRST_STAGE && index !== sensorFailure ? '1.9.0' : '1.8.2';

export const airConditionerRuns = (index: number): string => (index % 4 === 0 ? '5.3.1' : '5.2.0');

export const releases: DemoRelease[] = [
  { product: 'lamp', versionNumber: '3.0.4', versionName: '灯控基线版', daysAgo: 52, kilobytes: 72 },
  { product: 'electricity-meter', versionNumber: '4.1.0', versionName: '电表计量固件', daysAgo: 50, kilobytes: 128 },
  { product: 'air-conditioner', versionNumber: '5.2.0', versionName: '末端控制固件', daysAgo: 47, kilobytes: 144 },
  { product: 'environment-sensor', versionNumber: '1.8.2', versionName: '传感器固件', daysAgo: 45, kilobytes: 56 },
  { product: 'lamp', versionNumber: '3.1.0', versionName: '调光曲线优化', daysAgo: 19, kilobytes: 75 },
  { product: 'electricity-meter', versionNumber: '4.1.3', versionName: '需量统计修正', daysAgo: 14, kilobytes: 131 },
  { product: 'environment-sensor', versionNumber: '1.9.0', versionName: '二氧化碳自校准', daysAgo: 4, kilobytes: 58 },
  { product: 'lamp', versionNumber: '3.1.2', versionName: '定时任务修正', daysAgo: 2, kilobytes: 75 },
  { product: 'air-conditioner', versionNumber: '5.3.1', versionName: '夜间节能模式', daysAgo: 1.5, kilobytes: 150 },
];

export const upgrades: DemoUpgrade[] = [
  {
    taskName: '照明灯调光优化',
    product: 'lamp',
    from: ['3.0.4'],
    to: '3.1.0',
    taskRank: 3,
    stages: [10, 100],
    hoursAgo: 18.2 * 24,
    state: 'ended',
  },
  {
    taskName: '电表需量修正',
    product: 'electricity-meter',
    from: ['4.1.0'],
    to: '4.1.3',
    taskRank: 6,
    stages: [100],
    hoursAgo: 12.6 * 24,
    state: 'ended',
  },
  {
    taskName: '环境传感器分批升级',
    product: 'environment-sensor',
    from: ['1.8.2'],
    to: '1.9.0',
    taskRank: 4,
    stages: [10, 50, 100],
    hoursAgo: 52,
    state: 'paused',
    failures: { [sensorFailure]: { reason: FailReason.verification, detail: '清单中的 SHA-256 与文件不一致' } },
  },
  {
    taskName: '空调夜间升级',
    product: 'air-conditioner',
    from: ['5.2.0'],
    to: '5.3.1',
    taskRank: 2,
    stages: [25, 100],
    hoursAgo: 26,
    state: 'later',
    cron: '0 2 * * 1-5',
  },
  {
    taskName: '照明灯定时任务修正',
    product: 'lamp',
    from: ['3.1.0'],
    to: '3.1.2',
    taskRank: 5,
    stages: [25, 100],
    hoursAgo: 0.72,
    state: 'ended',
    failures: lampFailures,
  },
];
