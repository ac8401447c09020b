import type { Db } from '../../../db/connect.ts';
import { hasToken, tokenEndsAt } from '../../../domain/device/tokens.ts';
import { digest } from '../../../platform/ids.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { isTokenValid } from '../authenticate-message.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import { previousSessionIds, selectDeviceSessions, toDeviceSession } from '../device-session.ts';
import type { ModelCache } from '../model-cache.ts';

type DelayedMessagesDeps = { db: Db; secrets: SecretBox; models: Pick<ModelCache, 'prepare'> };
type MessageHeader = { token: string; deviceId: string; timestamp: number };

/** Maximum clock difference between the hub and a logged-in device. */
const CLOCK_SKEW_MS = 5 * 60_000;
const REVOKED = 1;

/**
 * Finds the session of a delayed message: it waited at a broker, or at a hub that has ended, while its token expired or
 * its device logged in again. The device will not resend it, because the broker has acknowledged it, so it is accepted
 * if its token was valid when it was sent.
 */
export const createDelayedMessages = ({ db, secrets, models }: DelayedMessagesDeps) => {
  const findRow = (connection: DeviceConnection, { deviceId }: MessageHeader, tokenHash: string) =>
    selectDeviceSessions(db)
      .where('device.device_id', '=', deviceId)
      .where('device_session.gateway_id', '=', deviceId === connection.deviceId ? '' : connection.deviceId)
      .where('device_session.ended', '<>', REVOKED)
      .where(hasToken(tokenHash))
      .executeTakeFirst();

  /** The sender as of that session; undefined if the token is still valid, or was not valid at the time. */
  return async (connection: DeviceConnection, header: MessageHeader): Promise<DeviceConnection | undefined> => {
    const current = header.deviceId === connection.deviceId ? connection : connection.children.get(header.deviceId);
    if (header.token === '' || (current && isTokenValid(current, header.token))) return undefined;
    const tokenHash = digest(header.token);
    const row = await findRow(connection, header, tokenHash);
    if (!row) return undefined;
    const validUntil = tokenEndsAt(row, tokenHash);
    const isStillValid = row.ended === 0 && Date.now() < validUntil;
    if (isStillValid || header.timestamp >= validUntil + CLOCK_SKEW_MS) return undefined;
    await models.prepare(row.product_id);
    const isOwn = header.deviceId === connection.deviceId;
    const previousSessions = isOwn ? connection.previousSessions : await previousSessionIds(db, row.device_id);
    const session: DeviceSession = { ...toDeviceSession(row, secrets, previousSessions), firstTokenHash: tokenHash };
    return isOwn ? { ...connection, ...session } : { ...connection, children: new Map([[session.deviceId, session]]) };
  };
};

export type FindDelayedSender = ReturnType<typeof createDelayedMessages>;
