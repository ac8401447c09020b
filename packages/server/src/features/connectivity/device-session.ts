import type { DeviceCodeName } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { storedSecret } from '../../db/stored.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { SESSION_NAMED_MS } from '../../records/retention.ts';
import type { DeviceSession } from './connection-registry.ts';

export const selectDeviceSessions = (db: Db) =>
  db
    .selectFrom('device')
    .innerJoin('product', 'product.product_id', 'device.product_id')
    .innerJoin('application', 'application.application_id', 'device.application_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'device.tenancy_id')
    .innerJoin('zone', 'zone.zone_id', 'device.zone_id')
    .innerJoin('device_session', 'device_session.device_id', 'device.device_id')
    .select([
      'device.device_id',
      'device.registration_no',
      'device.tenancy_id',
      'device.product_id',
      'device.application_id',
      'device.mock',
      'device.secret_sealed',
      'device.secret_proven',
      'device.logger_level',
      'device.real_time_push',
      'device.zone_id',
      'device.version_number',
      'device.mac',
      'device.blacklisted',
      'device.kicked_until',
      'device.conn_no',
      'product.node_type',
      'application.enabled as application_enabled',
      'application.deleting as application_deleting',
      'tenancy.enabled as tenancy_enabled',
      'zone.route_key',
      'device_session.session_id',
      'device_session.sign_method',
      'device_session.token_hash',
      'device_session.expires_at',
      'device_session.old_token_hash',
      'device_session.old_expires_at',
      'device_session.gateway_id',
      'device_session.ended',
    ]);

export type DeviceSessionRow = Awaited<ReturnType<ReturnType<typeof selectDeviceSessions>['execute']>>[number];

/** Why the device may not communicate now, whatever its token; undefined when it may. */
export const denialReason = (row: DeviceSessionRow): DeviceCodeName | undefined => {
  if (row.tenancy_enabled === 0) return 'TENANCY_CLOSED';
  if (row.application_enabled === 0 || row.application_deleting === 1) return 'APPLICATION_DISABLED';
  if (row.blacklisted === 1) return 'BLACKLISTED';
  if (row.kicked_until > Date.now()) return 'KICKED';
  return row.ended === 0 ? undefined : 'TOKEN_INVALID';
};

const SESSIONS_MAX = 1_000;

/** Sessions that messages of the device may still carry. */
export const previousSessionIds = async (db: Db, deviceId: string): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('device_session')
    .select('session_id')
    .where('device_id', '=', deviceId)
    .where('created_at', '>', Date.now() - SESSION_NAMED_MS)
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_MAX)
    .execute();
  return new Set(rows.map(({ session_id }) => session_id));
};

let lastAssigned = 0;

/**
 * A number above the device's last connection, also if that was assigned by a hub whose clock is ahead. It is unique:
 * otherwise the end of a replaced connection could be recorded as the end of its successor.
 */
export const nextConnNo = (row: DeviceSessionRow, connNo: number): number => {
  if (connNo > row.conn_no) return connNo;
  lastAssigned = Math.max(lastAssigned, row.conn_no) + 1;
  return lastAssigned;
};

export const toDeviceSession = (
  row: DeviceSessionRow,
  secrets: SecretBox,
  previousSessions: ReadonlySet<string>,
): DeviceSession => {
  const now = Date.now();
  return {
    deviceId: row.device_id,
    registrationNo: row.registration_no,
    tenancyId: row.tenancy_id,
    productId: row.product_id,
    applicationId: row.application_id,
    nodeType: row.node_type,
    mock: row.mock,
    secret: storedSecret(secrets, row.secret_sealed, 'device', row.device_id),
    secretProven: row.secret_proven,
    signMethod: row.sign_method,
    sessionId: row.session_id,
    previousSessions,
    tokenHash: row.token_hash,
    tokenExpiresAt: row.expires_at,
    oldTokenHash: row.old_token_hash,
    firstTokenHash: row.token_hash,
    oldTokenExpiresAt: row.old_expires_at,
    knownToken: '',
    loggerLevel: row.logger_level,
    realTimePush: row.real_time_push,
    zoneId: row.zone_id,
    versionNumber: row.version_number,
    mac: row.mac,
    connNo: nextConnNo(row, nextSequenceId(now)),
    connectedAt: now,
  };
};
