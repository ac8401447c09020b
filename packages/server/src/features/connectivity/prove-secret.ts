import type { Db } from '../../db/connect.ts';
import { retryWithBackoff } from '../../db/retry.ts';
import type { Log } from '../../platform/log.ts';
import type { DeviceSession } from './connection-registry.ts';

const RETRY = { firstMs: 100, lastMs: 2_000 };

/**
 * A message that its own secret has signed shows that the device has it: from now on the product's does not count. No
 * PUBACK waits for this: devices go on while the database of what people manage is away.
 */
export const createProveSecret = ({ db, log }: { db: Db; log: Log }) => {
  // A session that was replaced is of the secret before: since then the device may have been given another one.
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

  return (speaker: DeviceSession): void => {
    speaker.secretProven = 1;
    const waits = (error: unknown): void => log.warn({ err: error }, 'the proof of a secret waits for the database');
    retryWithBackoff(() => write(speaker), { ...RETRY, waits }).catch((error: unknown) => {
      speaker.secretProven = 0;
      log.error({ err: error }, 'the proof of a secret was not written');
    });
  };
};
