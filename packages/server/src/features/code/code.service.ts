import { createHmac, timingSafeEqual } from 'node:crypto';
import { CODE_RESEND_SECONDS, CodePurpose, type Language } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { AppError } from '../../platform/app-error.ts';
import { callerNetwork } from '../../platform/caller-network.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newCode } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Message } from '../outbox/messages.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';

type CodeDeps = {
  db: Db;
  secrets: Pick<SecretBox, 'keyFor'>;
  outbox: Pick<OutboxService, 'post'>;
  codeMessage: (language: Language, code: string) => Message;
};

/** A code is valid for one purpose, one address and, if the requester is logged in, one user. */
export type CodeKey = { purpose: CodePurpose; address: string; asker: string };

const LIFE_MS = 600_000;
const TRIES_MAX = 5;
/** Stored as the asker of suppressed codes, so that they do not replace a code that was sent. */
const UNDELIVERED = 'undelivered';
const RESEND_MS = CODE_RESEND_SECONDS * 1_000;
/** How long a proof of the current address is valid. */
const PROOF_MS = 600_000;

const sameDigest = (left: string, right: string): boolean => timingSafeEqual(Buffer.from(left), Buffer.from(right));

export const createCodeService = ({ db, secrets, outbox, codeMessage }: CodeDeps) => {
  // Six digits have a million digests, so a plain one could be reversed; the key of this HMAC is in no database.
  const key = secrets.keyFor('verification code');
  const wrongCode = () => new AppError('CODE_WRONG', {}, 'code');

  // Purpose, address and asker are part of the digest, so a code is valid for these only.
  const hash = ({ purpose, address, asker }: CodeKey, code: string): string =>
    createHmac('sha256', key)
      .update([purpose, foldCase(address), asker, code].join('\n'))
      .digest('hex');

  const rowOf = (db: Db, { purpose, address, asker }: CodeKey) =>
    db
      .selectFrom('verification_code')
      .where('purpose', '=', purpose)
      .where('address_key', '=', foldCase(address))
      .where('asker', '=', asker);

  /**
   * Anyone can request and try a recovery code. Tries are counted per network, so that a stranger cannot use up those of
   * the owner.
   */
  const checkRecovery = async (network: string, key: CodeKey, code: string): Promise<void> => {
    const row = await db
      .selectFrom('verification_code')
      .select('code_hash')
      .where('purpose', '=', key.purpose)
      .where('address_key', '=', foldCase(key.address))
      // A suppressed code never matches, but takes the same time as a wrong one.
      .where('asker', 'in', [key.asker, UNDELIVERED])
      .where('created_at', '>', Date.now() - LIFE_MS)
      .orderBy('asker')
      .limit(1)
      .executeTakeFirst();
    if (!row) throw wrongCode();
    const { code_hash } = row;
    await db
      .insertInto('verification_code_try')
      .values({ code_hash, network, tries: 0, created_at: Date.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const own = db
      .updateTable('verification_code_try')
      .where('code_hash', '=', code_hash)
      .where('network', '=', network);
    const { numUpdatedRows } = await own
      .set((row) => ({ tries: row('tries', '+', 1) }))
      .where('tries', '<', TRIES_MAX)
      .executeTakeFirst();
    if (numUpdatedRows === 0n || !sameDigest(code_hash, hash(key, code))) throw wrongCode();
    await own.set((row) => ({ tries: row('tries', '-', 1) })).execute();
  };

  const throwTooSoon = async (db: Db, key: CodeKey): Promise<never> => {
    const row = await rowOf(db, key).select('created_at').executeTakeFirst();
    const left = (row?.created_at ?? Date.now()) + RESEND_MS - Date.now();
    throw new AppError('CODE_TOO_SOON', { seconds: Math.max(1, Math.ceil(left / 1_000)) });
  };

  /** Does the same work in both cases: the caller must not see whether a code is delivered. */
  const keyToStore = async (db: Db, key: CodeKey, delivered: boolean, now: number): Promise<CodeKey> => {
    const recent = rowOf(db, key).where('created_at', '>', now - RESEND_MS);
    const tooSoon = await recent.select('created_at').executeTakeFirst();
    if (tooSoon) await throwTooSoon(db, key);
    return delivered ? key : { ...key, asker: UNDELIVERED };
  };

  return {
    /**
     * `mayDeliver` counts the code against the quotas, within its transaction. Where it answers false, the same work is
     * done and nothing is sent, so that the answer does not tell whether the address is known.
     */
    async send(
      key: CodeKey,
      channel: 'mail' | 'sms',
      language: Language,
      mayDeliver: (db: Db) => Promise<boolean>,
    ): Promise<void> {
      const code = newCode();
      const now = Date.now();
      await transact(db, async (db) => {
        // If the code is refused below, the rollback restores the quota.
        const delivered = await mayDeliver(db);
        const stored = await keyToStore(db, key, delivered, now);
        const fresh = { code_hash: hash(stored, code), tries: 0, created_at: now, checked_at: null };
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('verification_code')
          .values({ purpose: key.purpose, address_key: foldCase(key.address), asker: stored.asker, ...fresh })
          .onConflict((conflict) =>
            conflict
              .columns(['purpose', 'address_key', 'asker'])
              .doUpdateSet(fresh)
              .where('verification_code.created_at', '<=', now - RESEND_MS),
          )
          .executeTakeFirst();
        if (!numInsertedOrUpdatedRows) await throwTooSoon(db, stored);
        await outbox.post(db, {
          channel,
          recipient: key.address,
          message: codeMessage(language, code),
          suppressed: !delivered,
        });
      });
    },

    /** Counts the try first, outside the caller's transaction: a rollback must not restore the try. */
    async check(key: CodeKey, code: string, ip: string): Promise<void> {
      if (key.purpose === CodePurpose.recover) return checkRecovery(callerNetwork(ip), key, code);
      const own = db
        .updateTable('verification_code')
        .where('purpose', '=', key.purpose)
        .where('address_key', '=', foldCase(key.address))
        .where('asker', '=', key.asker);
      const row = await own
        .set((row) => ({ tries: row('tries', '+', 1) }))
        .where('tries', '<', TRIES_MAX)
        .where('created_at', '>', Date.now() - LIFE_MS)
        .returning('code_hash')
        .executeTakeFirst();
      if (!row || !sameDigest(row.code_hash, hash(key, code))) throw wrongCode();
      await own
        .set((row) => ({ tries: row('tries', '-', 1), checked_at: Date.now() }))
        .where('code_hash', '=', row.code_hash)
        .execute();
    },

    /** Called in the transaction that the code permits: of two concurrent uses only one succeeds. */
    async useUp(db: Db, key: CodeKey, code: string): Promise<void> {
      const { numDeletedRows } = await db
        .deleteFrom('verification_code')
        .where('code_hash', '=', hash(key, code))
        .where('purpose', '=', key.purpose)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) throw wrongCode();
    },

    /** Consumes a proof of the current address that was checked in the last ten minutes. */
    async useProof(db: Db, asker: string): Promise<void> {
      const { numDeletedRows } = await db
        .deleteFrom('verification_code')
        .where('purpose', '=', CodePurpose.provePresent)
        .where('asker', '=', asker)
        .where('checked_at', '>', Date.now() - PROOF_MS)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw new AppError('PRESENT_ADDRESS_UNPROVEN');
    },

    async sweep(): Promise<void> {
      await db
        .deleteFrom('verification_code')
        .where('created_at', '<', Date.now() - LIFE_MS - PROOF_MS)
        .execute();
      await db
        .deleteFrom('verification_code_try')
        .where('created_at', '<', Date.now() - LIFE_MS)
        .execute();
      await db
        .deleteFrom('outbox')
        .where('state', '=', 'suppressed')
        .where('created_at', '<', Date.now() - LIFE_MS)
        .execute();
    },
  };
};

export type CodeService = ReturnType<typeof createCodeService>;
