import type { Db } from '../../db/connect.ts';
import { retryWithBackoff } from '../../db/retry.ts';
import type { Log } from '../../platform/log.ts';
import type { DeviceSession } from './connection-registry.ts';

const RETRY = { initialDelayMs: 100, maxDelayMs: 2_000 };

/**
 * Records that a device has signed a message with its own secret: from then on the product secret is no longer
 * accepted. PUBACKs do not wait for this, so devices keep working while the main database is unavailable.
 */
export const createSecretProof = ({ db, log }: { db: Db; log: Log }) => {
  // A replaced session proves nothing: the device may have received another secret since.
  const write = ({ deviceId, registrationNo, sessionId }: DeviceSession) =>
    db
      .updateTable('device')
      .set({ secret_proven: 1 })
      .where('device_id', '=', deviceId)
      .where('registration_no', '=', registrationNo)
      .where('device_id', 'in', (row) =>
        row
          .selectFrom('device_session')
          .select('device_session.device_id')
          .where('session_id', '=', sessionId)
          .where('ended', '=', 0),
      )
      .execute();

  return (session: DeviceSession): void => {
    session.secretProven = 1;
    const onRetry = (error: unknown): void => log.warn({ err: error }, 'secret proof not stored, retrying');
    retryWithBackoff(() => write(session), { ...RETRY, onRetry }).catch((error: unknown) => {
      session.secretProven = 0;
      log.error({ err: error }, 'secret proof could not be stored');
    });
  };
};
