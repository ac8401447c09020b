import { FailReason } from '@device-center/contract';
import type { DemoRelease, DemoUpgrade } from './company.ts';

/** Firmware and upgrades of the cold chain company. */

const truckFailures: NonNullable<DemoUpgrade['failures']> = {
  4: { reason: FailReason.download, detail: 'connection lost at 61 %, no network for 5 minutes' },
  8: { reason: FailReason.timeout, detail: 'no report' },
  11: { reason: FailReason.verification, detail: 'SHA-256 of the file is not the one in the manifest' },
  16: { reason: FailReason.install, detail: 'not enough free flash: 212 KB needed, 180 KB left' },
};

/** Devices that were offline for long, or are blacklisted, are two versions behind. */
export const truckRuns = (index: number): string => {
  if ([3, 14, 15].includes(index)) return '0.9.8';
  return truckFailures[index] ? '1.0.2' : '1.1.0';
};

const FIRST_STAGE = 6;
const coldRoomFailure = 4;
export const coldRoomRuns = (index: number): string =>
  index < FIRST_STAGE && index !== coldRoomFailure ? '2.1.0' : '2.0.1';

export const gatewayRuns = (index: number): string => (index % 3 === 1 ? '1.7.2' : '1.6.0');

export const releases: DemoRelease[] = [
  { product: 'pump', versionNumber: '3.2.0', versionName: 'Pump-control', daysAgo: 51, kilobytes: 96 },
  { product: 'cold-gateway', versionNumber: '1.6.0', versionName: 'Gateway-base', daysAgo: 48, kilobytes: 384 },
  { product: 'cold-room-sensor', versionNumber: '2.0.1', versionName: 'Probe-firmware', daysAgo: 44, kilobytes: 64 },
  { product: 'truck-tracker', versionNumber: '1.0.2', versionName: 'Tracker-roaming', daysAgo: 40, kilobytes: 192 },
  { product: 'pump', versionNumber: '3.2.5', versionName: 'Vibration-filter', daysAgo: 11, kilobytes: 98 },
  { product: 'truck-tracker', versionNumber: '1.1.0', versionName: 'Tracker-geofence', daysAgo: 6, kilobytes: 212 },
  { product: 'cold-room-sensor', versionNumber: '2.1.0', versionName: 'Defrost-detection', daysAgo: 3, kilobytes: 66 },
  { product: 'cold-gateway', versionNumber: '1.7.2', versionName: 'Gateway-failover', daysAgo: 1, kilobytes: 392 },
];

export const upgrades: DemoUpgrade[] = [
  {
    taskName: 'Pumps-vibration-filter',
    product: 'pump',
    from: ['3.2.0'],
    to: '3.2.5',
    taskRank: 3,
    stages: [100],
    hoursAgo: 9.4 * 24,
    state: 'ended',
  },
  {
    taskName: 'Cold-rooms-defrost-detection',
    product: 'cold-room-sensor',
    from: ['2.0.1'],
    to: '2.1.0',
    taskRank: 5,
    stages: [20, 50, 100],
    hoursAgo: 45,
    state: 'paused',
    failures: { [coldRoomFailure]: { reason: FailReason.install, detail: 'battery below 20 %, installation refused' } },
  },
  {
    taskName: 'Gateways-at-the-weekend',
    product: 'cold-gateway',
    from: ['1.6.0'],
    to: '1.7.2',
    taskRank: 2,
    stages: [50, 100],
    hoursAgo: 20,
    state: 'later',
    cron: '30 2 * * 6,0',
  },
  {
    taskName: 'Trucks-geofence',
    product: 'truck-tracker',
    from: ['1.0.2'],
    to: '1.1.0',
    taskRank: 5,
    stages: [20, 100],
    hoursAgo: 0.75,
    state: 'ended',
    failures: truckFailures,
  },
];
