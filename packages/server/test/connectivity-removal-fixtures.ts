import { applicationCalls, deviceCalls } from '@device-center/contract';
import type { ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import type { RawDevice } from './raw-device.ts';

export const hubTables = ['device', 'device_session', 'device_nonce', 'device_command'] as const;
export const recordTables = [
  'message_record',
  'session_mark',
  'property_sample',
  'latest_value',
  'connect_record',
  'device_log',
  'device_log_day',
] as const;

/** The number of the device's rows per table, without empty tables. */
export const countRows = async (
  hub: Pick<Hub, 'db' | 'records'>,
  deviceId: string,
): Promise<Record<string, number>> => {
  const found = new Map<string, number>();
  for (const table of hubTables) {
    const rows = await hub.db.selectFrom(table).select('device_id').where('device_id', '=', deviceId).execute();
    found.set(table, rows.length);
  }
  for (const table of recordTables) {
    const rows = await hub.records.selectFrom(table).select('device_id').where('device_id', '=', deviceId).execute();
    found.set(table, rows.length);
  }
  return Object.fromEntries([...found].filter(([, count]) => count > 0));
};

/** All ways to remove a device. */
export const removals: [
  string,
  (hub: Pick<Hub, 'admin'>, device: RawDevice, fixture: ProductFixture) => Promise<unknown>,
][] = [
  ['deleted', ({ admin }, { deviceId }) => admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] })],
  [
    'of a deleted application',
    ({ admin }, _, { applicationId }) =>
      admin.ok(applicationCalls.deleteApplication, { applicationIds: [applicationId] }),
  ],
];
