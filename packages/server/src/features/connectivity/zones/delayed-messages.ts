import type { Db } from '../../../db/connect.ts';
import { hasToken, tokenEndsAt } from '../../../db/device-tokens.ts';
import { digest } from '../../../platform/ids.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import { isTokenValid } from '../authenticate-message.ts';
import type { DeviceConnection, DeviceSession } from '../connection-registry.ts';
import { previousSessionIds, selectSpeakers, toSpeaker } from '../device-session.ts';
import type { Models } from '../model-cache.ts';

type LateWordsDeps = { db: Db; secrets: SecretBox; models: Pick<Models, 'prepare'> };
type Said = { token: string; deviceId: string; timestamp: number };

/** How far the clock of a device that has logged in may be from the hub's. */
const CLOCK_MS = 5 * 60_000;
const TAKEN_AWAY = 1;

/**
 * What waited with a broker, or with a hub that is gone, while its token ran out or its device logged in again. The
 * broker has acknowledged it, so nobody will send it a second time: it is kept if it was good when it was said.
 */
export const createLateWords = ({ db, secrets, models }: LateWordsDeps) => {
  const findRow = (peer: DeviceConnection, { deviceId }: Said, tokenHash: string) =>
    selectSpeakers(db)
      .where('device.device_id', '=', deviceId)
      .where('device_session.gateway_id', '=', deviceId === peer.deviceId ? '' : peer.deviceId)
      .where('device_session.ended', '<>', TAKEN_AWAY)
      .where(hasToken(tokenHash))
      .executeTakeFirst();

  /** Whoever said it, as he was then; nobody where the token counts still, or did not when it was said. */
  return async (peer: DeviceConnection, said: Said): Promise<DeviceConnection | undefined> => {
    const now = said.deviceId === peer.deviceId ? peer : peer.children.get(said.deviceId);
    if (said.token === '' || (now && isTokenValid(now, said.token))) return undefined;
    const tokenHash = digest(said.token);
    const row = await findRow(peer, said, tokenHash);
    if (!row) return undefined;
    const until = tokenEndsAt(row, tokenHash);
    const isGoodNow = row.ended === 0 && Date.now() < until;
    if (isGoodNow || said.timestamp >= until + CLOCK_MS) return undefined;
    await models.prepare(row.product_id);
    const isOwn = said.deviceId === peer.deviceId;
    const sessions = isOwn ? peer.earlierSessions : await previousSessionIds(db, row.device_id);
    const speaker: DeviceSession = { ...toSpeaker(row, secrets, sessions), firstTokenHash: tokenHash };
    return isOwn ? { ...peer, ...speaker } : { ...peer, children: new Map([[speaker.deviceId, speaker]]) };
  };
};

export type LateWords = ReturnType<typeof createLateWords>;
