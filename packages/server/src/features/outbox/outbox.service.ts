import type { Input, Output, outboxCalls } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import type { OutboxTable } from '../../db/hub-tables.ts';
import { readPage } from '../../db/paging.ts';
import { storedSecret } from '../../db/stored.ts';
import { withAudit } from '../../db/with-audit.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { iso, isoOrNull } from '../../platform/time.ts';
import type { MenuCatalog } from '../role/menu-catalog.ts';
import type { Message } from './messages.ts';

type OutboxDeps = {
  db: Db;
  menus: Pick<MenuCatalog, 'allLeaves'>;
  secrets: SecretBox;
  settings: { SMTP_URL: string | undefined; SMS_WEBHOOK_URL: string | undefined };
};

type Channel = OutboxTable['channel'];
type OutgoingMessage = { channel: Channel; recipient: string; message: Message; suppressed?: boolean };

type OutboxRow = Pick<
  OutboxTable,
  'outbox_id' | 'channel' | 'recipient' | 'subject' | 'state' | 'attempts' | 'error' | 'created_at'
> & { sent_at: number | null };

const columns = [
  'outbox_id',
  'channel',
  'recipient',
  'subject',
  'state',
  'attempts',
  'error',
  'created_at',
  'sent_at',
] as const;

const toAnswer = (row: OutboxRow): Output<typeof outboxCalls.queryOutboxList>['list'][number] => ({
  outboxId: row.outbox_id,
  channel: row.channel,
  recipient: row.recipient,
  subject: row.subject,
  state: row.state === 'suppressed' ? 'failed' : row.state,
  attempts: row.attempts,
  error: row.error,
  createTime: iso(row.created_at),
  sentTime: isoOrNull(row.sent_at),
});

/** Messages are stored as rows before they are sent: they survive a crash, and a test setup needs no mail server. */
export const createOutboxService = ({ db, menus, secrets, settings }: OutboxDeps) => {
  const deliverable = { mail: settings.SMTP_URL !== undefined, sms: settings.SMS_WEBHOOK_URL !== undefined };

  const find = async (db: Db, outboxId: string) => {
    const row = await db
      .selectFrom('outbox')
      .select([...columns, 'recipient_key', 'body_sealed', 'body_after'])
      .where('state', '!=', 'suppressed')
      .where('outbox_id', '=', outboxId)
      .executeTakeFirst();
    if (!row) throw new AppError('OUTBOX_NOT_FOUND');
    return row;
  };
  const bodyOf = (row: { outbox_id: string; body_sealed: string }): string =>
    storedSecret(secrets, row.body_sealed, 'outbox', row.outbox_id);

  return {
    /** Whether messages of this channel are sent; without a configured server they stay in the outbox. */
    delivers: (channel: Channel): boolean => deliverable[channel],

    /** Inserts in the caller's transaction: the message is sent if and only if the change is committed. */
    async post(db: Db, { channel, recipient, message, suppressed }: OutgoingMessage): Promise<void> {
      const now = Date.now();
      await db
        .insertInto('outbox')
        .values({
          outbox_id: newId(),
          channel,
          recipient,
          recipient_key: foldCase(recipient),
          subject: message.subject,
          body_sealed: secrets.seal(message.text),
          body_after: message.textAfter,
          state: suppressed ? 'suppressed' : deliverable[channel] ? 'pending' : 'kept',
          attempts: 0,
          next_at: now,
          error: '',
          created_at: now,
          sent_at: null,
        })
        .execute();
    },

    async queryOutboxList(
      _context: Context,
      input: Input<typeof outboxCalls.queryOutboxList>,
    ): Promise<Output<typeof outboxCalls.queryOutboxList>> {
      let rows = db.selectFrom('outbox').where('state', '!=', 'suppressed');
      if (input.recipient) rows = rows.where(contains('recipient_key', input.recipient));
      if (input.state) rows = rows.where('state', '=', input.state);
      if (input.channel) rows = rows.where('channel', '=', input.channel);
      const page = await readPage(
        db,
        { rows: rows.select(columns), createdAt: 'created_at', unique: 'outbox_id' },
        input,
      );
      return { ...page, list: page.list.map(toAnswer) };
    },

    /** Always redacted: with a code or password the reader could log in as the recipient. */
    async getOutboxMessage(
      _context: Context,
      { outboxId }: Input<typeof outboxCalls.getOutboxMessage>,
    ): Promise<Output<typeof outboxCalls.getOutboxMessage>> {
      const row = await find(db, outboxId);
      return { ...toAnswer(row), body: row.body_after, hidden: bodyOf(row) === row.body_after ? 0 : 1 };
    },

    async revealOutboxMessage(
      context: Context,
      { outboxId }: Input<typeof outboxCalls.revealOutboxMessage>,
    ): Promise<Output<typeof outboxCalls.revealOutboxMessage>> {
      const { actor } = context;
      if (!menus.allLeaves().every((menuId) => actor.menus.has(menuId))) throw new AppError('OUTBOX_REVEAL_FORBIDDEN');
      return withAudit(db, context, async (db) => {
        const row = await find(db, outboxId);
        const body = bodyOf(row);
        const { recipient, recipient_key, subject, channel } = row;
        const user = await db
          .selectFrom('user_account')
          .select(['user_id', 'tenancy_id'])
          .where(channel === 'mail' ? 'email_key' : 'phone', '=', recipient_key)
          .executeTakeFirst();
        if (user) {
          const reveal = { user_id: user.user_id, subject, revealed_by: actor.username, revealed_at: Date.now() };
          await db
            .insertInto('outbox_reveal')
            .values({ reveal_id: newId(), ...reveal })
            .execute();
        }
        const audit = {
          ...{ tenancyId: user?.tenancy_id ?? actor.tenancyId, targetId: outboxId, targetName: recipient },
          after: { recipient, channel, subject },
        };
        return { result: { body }, audit };
      });
    },
  };
};

export type OutboxService = ReturnType<typeof createOutboxService>;
