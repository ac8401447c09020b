import type { Db } from '../../db/connect.ts';
import { SESSION_NAMED_MS } from '../../records/retention.ts';
import { NONCE_MS } from './device-login.ts';

const BATCH_SIZE = 1_000;

/** Deletes nonces once a replay is impossible, and sessions once messages can no longer carry them. */
export const sweepDeviceLogins = async (db: Db): Promise<void> => {
  const now = Date.now();
  await db
    .deleteFrom('device_nonce')
    .where('used_at', '<', now - NONCE_MS)
    .execute();
  for (;;) {
    const old = db
      .selectFrom('device_session')
      .select('session_id')
      .where('created_at', '<', now - SESSION_NAMED_MS)
      .where('expires_at', '<', now)
      .limit(BATCH_SIZE);
    const { numDeletedRows } = await db.deleteFrom('device_session').where('session_id', 'in', old).executeTakeFirst();
    if (Number(numDeletedRows) < BATCH_SIZE) return;
  }
};
