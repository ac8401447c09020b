import type { Db } from '../../db/connect.ts';
import { attributeColumns } from '../../domain/device/attributes.ts';
import { versionColumns } from '../../domain/ota/version-keys.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { quarterHourOf } from '../../records/batch.ts';
import { DAY_MS, isConnectedAt, type PlannedDevice } from './plan.ts';
import type { CreatedProducts } from './rows.ts';

const ROWS_PER_INSERT = 50;
const KICKED_DAYS = 7;

/** End of the login restriction of a device kicked yesterday. */
export const kickedUntil = (now: number): number => now + KICKED_DAYS * DAY_MS;

/** All columns, because the rows of one statement must have the same ones. */
const UNRESTRICTED = { kicked_until: 0, blacklisted: 0, black_at: 0, black_reason: '', black_by: '' } as const;

const restrictions = ({ condition, company }: PlannedDevice, now: number) => {
  if (condition.kind === 'kicked') return { ...UNRESTRICTED, kicked_until: kickedUntil(now) };
  if (condition.kind !== 'blacklisted') return UNRESTRICTED;
  const listed = { black_at: now - condition.days * DAY_MS, black_by: company.user.username };
  return { ...UNRESTRICTED, ...listed, blacklisted: 1 as const, black_reason: condition.reason };
};

const rowOf = (device: PlannedDevice, products: CreatedProducts, secrets: SecretBox, now: number) => {
  const created = products.get(device.product);
  const [first, last] = [device.onlinePeriods[0], device.onlinePeriods.at(-1)];
  return {
    device_id: device.deviceId,
    registration_no: nextSequenceId(),
    device_id_key: foldCase(device.deviceId),
    tenancy_id: device.company.tenancyId,
    product_id: created?.productId ?? '',
    application_id: created?.applicationId ?? '',
    device_name: device.deviceName,
    device_name_key: foldCase(device.deviceName),
    ...attributeColumns(device),
    ...versionColumns(first ? device.versionNumber : ''),
    online: 2 as const,
    parent_id: device.parent?.deviceId ?? '',
    mock: 0 as const,
    secret_sealed: secrets.seal(device.secret),
    secret_by_console: first ? (0 as const) : (1 as const),
    secret_proven: first ? (1 as const) : (0 as const),
    hardware: first ? device.product.hardware : '',
    sign_method: first ? ('hmacsha256' as const) : ('' as const),
    ip: first ? device.ip : '',
    transport: first ? 'tcp' : '',
    first_connect_at: first?.from ?? 0,
    presence_at: last?.to ?? 0,
    offline_reason: last?.reason ?? ('' as const),
    created_at: device.createdAt,
    updated_at: last?.from ?? device.createdAt,
    ...restrictions(device, now),
  };
};

export const insertDevices = async (
  db: Db,
  devices: PlannedDevice[],
  products: CreatedProducts,
  secrets: SecretBox,
  now: number,
): Promise<void> => {
  for (let from = 0; from < devices.length; from += ROWS_PER_INSERT)
    await db
      .insertInto('device')
      .values(devices.slice(from, from + ROWS_PER_INSERT).map((device) => rowOf(device, products, secrets, now)))
      .execute();
};

const HOUR_MS = 3_600_000;
const SNAPSHOT_HOURS = 8 * 24;

/** Fleet counts at each hour of the last days; the hub itself writes the present quarter hour. */
export const insertSnapshots = async (db: Db, tenancyId: string, devices: PlannedDevice[], now: number) => {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const rows = Array.from({ length: SNAPSHOT_HOURS }, (_, back) => {
    const time = hour - (back + 1) * HOUR_MS;
    return {
      tenancy_id: tenancyId,
      quarter: quarterHourOf(time),
      devices: devices.filter(({ createdAt }) => createdAt <= time).length,
      connected: devices.filter(({ onlinePeriods }) => (onlinePeriods[0]?.from ?? now) <= time).length,
      online: devices.filter((device) => isConnectedAt(device, time)).length,
    };
  });
  await db.insertInto('fleet_snapshot').values(rows).execute();
};
