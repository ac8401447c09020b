import { accountCalls, CodePurpose, quotaCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, unique } from './hub.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';
import { waitFor } from './mailbox.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());

  it('shares the outbox with a second hub, and sends every message once', async () => {
    const second = await startInProcessHub(hub.env);
    try {
      const there = createClient(second.url, hub.admin.token);
      await hub.admin.ok(quotaCalls.updateTenancyQuotas, { tenancyId: '1', userTextsPerDay: 60 });
      const emails = Array.from({ length: 60 }, () => `${unique('mail')}@example.com`);
      await Promise.all(
        emails.map((email, index) =>
          (index % 2 ? there : hub.admin).ok(accountCalls.getVerificationCode, { email, type: CodePurpose.bind }),
        ),
      );
      await waitFor('everything is sent', async () => {
        const open = await hub.db.selectFrom('outbox').select('outbox_id').where('state', '=', 'pending').execute();
        return open.length === 0 ? true : undefined;
      });
      const mine = hub.mailbox.mails.filter((mail) => emails.includes(mail.to)).map((mail) => mail.to);
      expect(mine.sort()).toEqual(emails.sort());
      const rows = await hub.db.selectFrom('outbox').selectAll().where('recipient_key', 'in', emails).execute();
      expect(rows.filter((row) => row.state === 'sent' && row.attempts === 1)).toHaveLength(60);
    } finally {
      expect(await second.stop()).toBe(0);
    }
  });
});
