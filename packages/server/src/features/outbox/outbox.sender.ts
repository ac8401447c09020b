import type { Db } from '../../db/connect.ts';
import { storedSecret } from '../../db/stored.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Transports } from '../../platform/transports.ts';

type SenderDeps = { db: Db; secrets: SecretBox; transports: Transports; log: Log };

const BATCH = 10;
const ATTEMPTS_MAX = 12;
/** Duration of a claim; afterwards another hub may try. */
const LEASE_MS = 60_000;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 3_600_000;

const retryAfter = (attempts: number): number => Math.min(RETRY_FIRST_MS * 2 ** (attempts - 1), RETRY_MAX_MS);

/** Sends due messages; with several hubs each message is claimed by one of them. */
export const createOutboxSender = ({ db, secrets, transports, log }: SenderDeps) => {
  type Due = {
    outbox_id: string;
    channel: 'mail' | 'sms';
    recipient: string;
    subject: string;
    body_sealed: string;
    body_after: string;
    next_at: number;
    attempts: number;
  };

  const claim = async (row: Due): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('outbox')
      .set({ next_at: Date.now() + LEASE_MS, attempts: row.attempts + 1 })
      .where('outbox_id', '=', row.outbox_id)
      .where('state', '=', 'pending')
      .where('next_at', '=', row.next_at)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  };

  const deliver = async (row: Due): Promise<void> => {
    const text = storedSecret(secrets, row.body_sealed, 'outbox', row.outbox_id);
    if (row.channel === 'mail') await transports.mail(row.recipient, row.subject, text);
    else await transports.sms(row.recipient, text);
  };

  const settle = async (row: Due): Promise<void> => {
    const update = db.updateTable('outbox').where('outbox_id', '=', row.outbox_id);
    try {
      await deliver(row);
      // Delivered: the body with the secret is replaced by the redacted one.
      await update
        .set({ state: 'sent', sent_at: Date.now(), error: '', body_sealed: secrets.seal(row.body_after) })
        .execute();
    } catch (error) {
      const attempts = row.attempts + 1;
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      log.warn({ outboxId: row.outbox_id, attempts, reason }, 'message not delivered');
      if (attempts >= ATTEMPTS_MAX) await update.set({ state: 'failed', error: reason }).execute();
      else await update.set({ error: reason, next_at: Date.now() + retryAfter(attempts) }).execute();
    }
  };

  return {
    /** Returns whether messages were due; if so, there may be more. */
    async sendDue(): Promise<boolean> {
      const due = await db
        .selectFrom('outbox')
        .select(['outbox_id', 'channel', 'recipient', 'subject', 'body_sealed', 'body_after', 'next_at', 'attempts'])
        .where('state', '=', 'pending')
        .where('next_at', '<=', Date.now())
        .orderBy('next_at')
        .limit(BATCH)
        .execute();
      await Promise.all(due.map(async (row) => ((await claim(row)) ? settle(row) : undefined)));
      return due.length > 0;
    },
  };
};
