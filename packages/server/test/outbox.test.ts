import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountCalls, apiKeyCalls, CodePurpose, outboxCalls, personalCalls, userCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretBox } from '../src/platform/secret-box.ts';
import { createClient } from './client.ts';
import { describeOnEachEngine } from './engine.ts';
import { ADMIN_PASSWORD, type Hub, PASSWORD, unique, uniquePhone } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { startMailbox, waitFor } from './mailbox.ts';
import { runCli } from './run-cli.ts';

let hub: Hub;

const setUp = (settings: Record<string, string> = {}): void => {
  beforeAll(async () => {
    hub = await startHub(settings);
  });
  afterAll(() => hub.close());
};

const NO_SERVERS = { SMTP_URL: '', SMS_WEBHOOK_URL: '' };

const rowsTo = (hub: Hub, recipient: string) =>
  hub.db.selectFrom('outbox').selectAll().where('recipient_key', '=', recipient).execute();

/** Makes the message due and clears the last error, so that the next one shows. */
const makeDue = (hub: Hub, recipient: string, more: { attempts?: number } = {}) =>
  hub.db
    .updateTable('outbox')
    .set({ next_at: 0, error: '', ...more })
    .where('recipient_key', '=', recipient)
    .execute();

/** Creates a user, which queues the mail with the first password. */
const addUser = async (hub: Hub): Promise<{ username: string; email: string }> => {
  const username = unique('user');
  const email = `${username}@example.com`;
  await hub.admin.ok(userCalls.addUser, { username, name: 'Han Mei', email, roleId: '1' });
  return { username, email };
};

const bodyOf = (hub: Hub, sealed: string | undefined): string =>
  createSecretBox({ SECRET_KEY: undefined, DATA_DIR: hub.env.DATA_DIR ?? '' }).open(sealed ?? '');

const passwordIn = (text: string): string => /Initial password: (\S+)/.exec(text)?.[1] ?? '';

describeOnEachEngine(() => {
  describe('an outbox without a mail server and a webhook', () => {
    setUp(NO_SERVERS);

    it('stores a mail for the platform operator and the command line', async () => {
      const { username, email } = await addUser(hub);
      const { list, total } = await hub.admin.ok(outboxCalls.queryOutboxList, { recipient: email.toUpperCase() });
      expect(total).toBe(1);
      expect(list).toMatchObject([{ channel: 'mail', recipient: email, state: 'kept', attempts: 0, sentTime: null }]);
      expect(JSON.stringify(list)).not.toMatch(/password:/);
      const message = await hub.admin.ok(outboxCalls.revealOutboxMessage, { outboxId: list[0]?.outboxId ?? '' });
      const password = passwordIn(message.body);
      expect(message.body).toContain(`Log in at: ${hub.url}`);
      await hub.login(username, password);

      const shown = await runCli('cli/outbox.ts', hub.env);
      expect(shown.code).toBe(0);
      expect(shown.out).toContain(`mail  ${email}  [kept]\nYour Device Center account\n\n${message.body}\n`);
    });
  });
});

describe('on the default engine', () => {
  describe('an outbox without a mail server and a webhook', () => {
    setUp(NO_SERVERS);

    it('prints that it is empty', async () => {
      expect(await runCli('cli/outbox.ts', hub.env)).toEqual({
        code: 0,
        out: 'the outbox is empty\n',
        err: '',
      });
    });

    it('returns a new password to the user who creates or resets it, but not to a program', async () => {
      const username = unique('user');
      const fields = { username, name: 'Han Mei', email: `${username}@example.com`, roleId: '1' };
      const { userId, password = '' } = await hub.admin.ok(userCalls.addUser, fields);
      await hub.login(username, password);
      const reset = await hub.admin.ok(userCalls.resetPassword, { userId });
      expect(reset?.password).not.toBe(password);
      await hub.login(username, reset?.password ?? '');

      const { key } = await hub.admin.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId: '1' });
      const program = createClient(hub.url, key);
      expect(await program.ok(userCalls.resetPassword, { userId })).toBeNull();
      const other = unique('user');
      const created = await program.ok(userCalls.addUser, {
        ...fields,
        username: other,
        email: `${other}@example.com`,
      });
      expect(Object.keys(created)).toEqual(['userId']);
    });

    it('stores text messages too, each found by its kind', async () => {
      const phone = uniquePhone();
      await hub.admin.ok(accountCalls.getPhoneCode, { phone, type: CodePurpose.bind });
      const { list } = await hub.admin.ok(outboxCalls.queryOutboxList, { channel: 'sms', state: 'kept' });
      expect(list).toMatchObject([{ recipient: phone }]);
      const { body } = await hub.admin.ok(outboxCalls.revealOutboxMessage, { outboxId: list[0]?.outboxId ?? '' });
      const code = /\d{6}/.exec(body)?.[0] ?? '';
      await hub.admin.ok(personalCalls.bindPhone, { phone, code, password: ADMIN_PASSWORD });
      expect((await hub.admin.ok(outboxCalls.queryOutboxList, { state: 'sent' })).total).toBe(0);
    });

    it('does not print messages of rejected requests', async () => {
      const email = `${unique('nobody')}@example.com`;
      await hub.anonymous.ok(accountCalls.getVerificationCode, { email });
      expect(await rowsTo(hub, email)).toMatchObject([{ state: 'suppressed' }]);
      expect((await runCli('cli/outbox.ts', hub.env)).out).not.toContain(email);
    });

    it('masks codes and passwords; only a user with every menu reveals one, audited and notified to the recipient', async () => {
      const user = await hub.create.user({ tenancyId: await hub.create.tenancy() });
      await hub.anonymous.ok(accountCalls.getVerificationCode, { email: user.email });
      const { list } = await hub.admin.ok(outboxCalls.queryOutboxList, { recipient: user.email });
      const outboxId = list[0]?.outboxId ?? '';
      const masked = await hub.admin.ok(outboxCalls.getOutboxMessage, { outboxId });
      expect(masked).toMatchObject({ hidden: 1, body: expect.stringContaining('Your verification code is ******.') });

      const operator = await hub.create.user({ tenancyId: '1', menus: [204] });
      expect((await operator.ok(outboxCalls.getOutboxMessage, { outboxId })).body).toBe(masked.body);
      const refused = await operator.error(outboxCalls.revealOutboxMessage, { outboxId });
      expect(refused).toMatchObject({ statusCode: 403, code: 'OUTBOX_REVEAL_FORBIDDEN' });
      const { key } = await hub.admin.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId: '1' });
      const program = createClient(hub.url, key);
      expect((await program.ok(outboxCalls.getOutboxMessage, { outboxId })).body).toBe(masked.body);
      expect((await program.error(outboxCalls.revealOutboxMessage, { outboxId })).code).toBe('USER_SESSION_REQUIRED');
      const reveals = () => hub.db.selectFrom('audit_log').selectAll().where('target_id', '=', outboxId).execute();
      expect(await reveals()).toEqual([]);

      const { body } = await hub.admin.ok(outboxCalls.revealOutboxMessage, { outboxId });
      expect(body).toMatch(/Your verification code is \d{6}\./);
      const [entry, ...more] = await reveals();
      expect(more).toEqual([]);
      expect(entry).toMatchObject({ username: 'admin', target_name: user.email, tenancy_id: user.tenancyId });
      const credentials = { username: user.username, password: PASSWORD };
      const told = { revealedBy: 'admin', subject: 'Device Center verification code' };
      expect((await hub.anonymous.ok(accountCalls.login, credentials)).reveals).toMatchObject([told]);
      expect((await hub.anonymous.ok(accountCalls.login, credentials)).reveals).toEqual([]);
    });

    it('contains the new one-time password of reset-admin', async () => {
      const other = await hub.login('admin', ADMIN_PASSWORD);
      const nobody = await runCli('cli/reset-admin.ts', hub.env, 'nobody-here');
      expect([nobody.code, nobody.out]).toEqual([1, '']);
      expect(nobody.err).toContain('there is no platform administrator named nobody-here');
      await other.ok(personalCalls.getPersonalMessage, {});
      const entries = () =>
        hub.db.selectFrom('audit_log').selectAll().where('action', '=', 'command.resetAdmin').execute();
      expect(await entries()).toEqual([]);

      const { code, out } = await runCli('cli/reset-admin.ts', hub.env);
      expect(code).toBe(0);
      expect(await entries()).toMatchObject([{ target_id: '1', target_name: 'admin', username: '', user_id: '' }]);
      const password = /^ {2}account {3}admin\n {2}password {2}(\S+) {3}\(one-time\)\n$/.exec(out)?.[1] ?? '';
      for (const client of [hub.admin, other])
        expect((await client.error(personalCalls.getPersonalMessage, {})).code).toBe('TOKEN_INVALID');
      const old = await hub.anonymous.error(accountCalls.login, { username: 'admin', password: ADMIN_PASSWORD });
      expect(old.code).toBe('LOGIN_FAILED');
      const first = await hub.login('admin', password);
      expect((await first.error(outboxCalls.queryOutboxList, {})).code).toBe('FIRST_LOGIN');
      await first.ok(personalCalls.firstLoginUpdatePassword, { oldPassword: password, newPassword: ADMIN_PASSWORD });
      await first.ok(outboxCalls.queryOutboxList, {});
    });
  });

  describe('an outbox with a mail server and a webhook', () => {
    setUp();

    it('sends a password to its user only', async () => {
      const username = unique('user');
      const fields = { username, name: 'Han Mei', email: `${username}@example.com`, roleId: '1' };
      const { userId, ...more } = await hub.admin.ok(userCalls.addUser, fields);
      expect(more).toEqual({});
      expect(await hub.admin.ok(userCalls.resetPassword, { userId })).toBeNull();
    });

    it('deletes the secret of a delivered message', async () => {
      const { username, email } = await addUser(hub);
      const text = await hub.mailbox.read(email);
      const password = passwordIn(text);
      await hub.login(username, password);
      const sent = await waitFor('the message is sent', async () =>
        (await rowsTo(hub, email)).find((row) => row.state === 'sent'),
      );
      expect(sent).toMatchObject({ attempts: 1, error: '' });
      expect(sent.sent_at).toBeGreaterThanOrEqual(sent.created_at);
      const { body, state } = await hub.admin.ok(outboxCalls.getOutboxMessage, { outboxId: sent.outbox_id });
      expect(state).toBe('sent');
      expect(body).toContain('Initial password: ******');
      expect(body).not.toContain(password);
      expect(body.replace('******', password).trim()).toBe(text.replaceAll('\r\n', '\n').trim());
      expect((await runCli('cli/outbox.ts', hub.env)).out).not.toContain(password);
    });
  });

  describe('an outbox with an unavailable mail server and webhook', () => {
    let mailPort: number;
    const webhookAnswers = { status: 500, texts: [] as unknown[] };
    const webhook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (webhookAnswers.status === 200) webhookAnswers.texts.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.writeHead(webhookAnswers.status).end();
      });
    });

    beforeAll(async () => {
      const closed = await startMailbox();
      await closed.close();
      mailPort = Number(new URL(closed.url).port);
      await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
      const { port } = webhook.address() as AddressInfo;
      hub = await startHub({ SMTP_URL: closed.url, SMS_WEBHOOK_URL: `http://127.0.0.1:${port}/sms` });
    });
    afterAll(async () => {
      await hub.close();
      webhook.close();
    });

    const untilTried = (recipient: string, times = 1) =>
      waitFor(`${times} tries`, async () =>
        (await rowsTo(hub, recipient)).find((row) => row.attempts >= times && row.error !== ''),
      );

    it('keeps a mail with the reason, and sends it when the server is up', async () => {
      const { username, email } = await addUser(hub);
      const tried = await untilTried(email);
      expect(tried).toMatchObject({ state: 'pending', attempts: 1, sent_at: null });
      expect(tried.error).toContain('ECONNREFUSED');
      expect(tried.next_at).toBeGreaterThan(tried.created_at + 4_000);
      const { list } = await hub.admin.ok(outboxCalls.queryOutboxList, { recipient: email });
      expect(list).toMatchObject([{ state: 'pending', attempts: 1, error: tried.error }]);

      // Again in vain: it waits longer.
      const madeDueAt = Date.now();
      await makeDue(hub, email);
      const again = await untilTried(email, 2);
      expect(again.next_at - madeDueAt).toBeGreaterThanOrEqual(10_000);
      const password = passwordIn(bodyOf(hub, again.body_sealed));

      const mailbox = await startMailbox(mailPort);
      try {
        await makeDue(hub, email);
        expect(await mailbox.readPassword(email)).toBe(password);
        const sent = await waitFor('it is sent', async () =>
          (await rowsTo(hub, email)).find((row) => row.state === 'sent'),
        );
        expect(sent).toMatchObject({ attempts: 3, error: '' });
        expect(bodyOf(hub, sent.body_sealed)).not.toContain(password);
        expect(mailbox.mails).toEqual([]);
        await hub.login(username, password);
      } finally {
        await mailbox.close();
      }
    });

    it('gives up after twelve tries, with the reason', async () => {
      const { email } = await addUser(hub);
      await untilTried(email);
      await makeDue(hub, email, { attempts: 11 });
      const failed = await waitFor('it is given up', async () =>
        (await rowsTo(hub, email)).find((row) => row.state === 'failed'),
      );
      expect(failed).toMatchObject({ attempts: 12, sent_at: null });
      expect(failed.error).toContain('ECONNREFUSED');
    });

    it('keeps a text message while the webhook rejects it', async () => {
      const phone = uniquePhone();
      await hub.admin.ok(accountCalls.getPhoneCode, { phone, type: CodePurpose.bind });
      expect(await untilTried(phone)).toMatchObject({ state: 'pending', error: 'webhook returned status 500' });
      webhookAnswers.status = 200;
      await makeDue(hub, phone);
      await waitFor('it is sent', async () => (await rowsTo(hub, phone)).find((row) => row.state === 'sent'));
      expect(webhookAnswers.texts).toEqual([{ phone, text: expect.stringMatching(/ \d{6}\./) }]);
    });
  });
});
