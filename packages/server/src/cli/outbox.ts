import { connect } from '../db/connect.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { readSettings } from '../platform/settings.ts';
import { iso } from '../platform/time.ts';

/** `npm run outbox`: prints the latest unsent messages with their text, for a hub without a mail server. */
const SHOWN = 20;

const settings = readSettings(process.env);
const secrets = createSecretBox(settings);
const db = connect(settings);
const rows = await db
  .selectFrom('outbox')
  .selectAll()
  .where('state', 'in', ['kept', 'pending', 'failed'])
  .orderBy('created_at', 'desc')
  .orderBy('outbox_id', 'desc')
  .limit(SHOWN)
  .execute();
await db.destroy();

const show = (row: (typeof rows)[number]): string =>
  [
    `${iso(row.created_at)}  ${row.channel}  ${row.recipient}  [${row.state}]`,
    row.subject,
    '',
    secrets.open(row.body_sealed),
  ].join('\n');

process.stdout.write(rows.length === 0 ? 'the outbox is empty\n' : `${rows.reverse().map(show).join('\n\n---\n\n')}\n`);
