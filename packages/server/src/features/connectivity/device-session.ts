import type { DeviceCodeName } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { SESSION_NAMED_MS } from '../../db/device-tokens.ts';
import { storedSecret } from '../../db/stored.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { DeviceSession } from './connection-registry.ts';

export const selectSpeakers = (db: Db) =>
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

export type SpeakerRow = Awaited<ReturnType<ReturnType<typeof selectSpeakers>['execute']>>[number];

/** Why this device may not speak just now, whatever its token; nothing when it may. */
export const denialReason = (row: SpeakerRow): DeviceCodeName | undefined => {
  if (row.tenancy_enabled === 0) return 'TENANCY_CLOSED';
  if (row.application_enabled === 0 || row.application_deleting === 1) return 'APPLICATION_DISABLED';
  if (row.blacklisted === 1) return 'BLACKLISTED';
  if (row.kicked_until > Date.now()) return 'KICKED';
  return row.ended === 0 ? undefined : 'TOKEN_INVALID';
};

const SESSIONS_MAX = 1_000;

/** The sessions that it may still name. */
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

let lastOver = 0;

/**
 * Above the last connection's, also where that was at a hub whose clock is ahead. Never the same twice: the goodbye of
 * one that was replaced, before either was written down, would be taken for the other's.
 */
export const nextConnNo = (row: SpeakerRow, connNo: number): number => {
  if (connNo > row.conn_no) return connNo;
  lastOver = Math.max(lastOver, row.conn_no) + 1;
  return lastOver;
};

export const toSpeaker = (row: SpeakerRow, secrets: SecretBox, earlierSessions: ReadonlySet<string>): DeviceSession => {
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
    earlierSessions,
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
