import { allCalls, auditCalls, type Failure, personalCalls, roleCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allMutations, type MutationResult } from './all-mutations.ts';
import { describeOnOneEngine } from './engine.ts';
import { ADMIN_PASSWORD, type Hub, PASSWORD, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

// Every command of the hub, and so most of its SQL that writes: on SQLite each has its own tests as well.
describeOnOneEngine('postgres', () => {
  let hub: Hub;
  let tenancyId: string;
  let commands: Record<string, () => Promise<MutationResult>>;
  /** Every password, code and token of the run: none may appear in the log. */
  const secrets: string[] = [ADMIN_PASSWORD, PASSWORD];

  beforeAll(async () => {
    hub = await startHub();
    tenancyId = await hub.create.tenancy();
    secrets.push(hub.admin.token);
    commands = allMutations(hub, tenancyId, secrets);
  });
  afterAll(() => hub.close());

  /**
   * Requesting and checking a code changes no data; a device login is a connection event; deliveries of another hub have
   * audit entries of their own, tested in sync-send.test.ts.
   */
  const WITHOUT_ENTRY = [
    'account.getVerificationCode',
    'account.getPhoneCode',
    'personal.checkCode',
    'bucket.loginDevice',
    'bucket.deliverSync',
  ];

  /** The upload of firmware is no call of the contract, and is written down all the same. */
  const BESIDE_CALLS = ['firmware.uploadFirmware'];

  const log = () => hub.db.selectFrom('audit_log').selectAll().orderBy('created_at').orderBy('audit_id');

  const recorded = allCalls
    .filter(({ call }) => call.kind === 'mutation')
    .map(({ slice, name }) => `${slice}.${name}`)
    .filter((action) => !WITHOUT_ENTRY.includes(action));

  describe.each(recorded)('%s', (action) => {
    // Spec 4.40, 7, 7.19, 7.105, 7.106
    it('is recorded with user, time, address, target, before and after', async () => {
      const command = commands[action];
      if (!command) throw new Error(`say in every-command.ts how ${action} comes to succeed`);
      const from = Date.now();
      const { answer, expected } = await command();
      const until = Date.now();
      expect(answer, JSON.stringify(answer)).toMatchObject({ success: true });
      const entries = await log().where('action', '=', action).where('target_id', '=', expected.targetId).execute();
      const [row] = entries.slice(-1);
      expect(row).toMatchObject({
        username: expected.username,
        tenancy_id: expected.tenancyId,
        target_id: expected.targetId,
        ip: '127.0.0.1',
      });
      expect(row?.user_id).not.toBe('');
      expect(row?.target_name).not.toBe('');
      expect(row?.request_id).toMatch(/^\S{8,}$/);
      expect(row?.created_at).toBeGreaterThanOrEqual(from);
      expect(row?.created_at).toBeLessThanOrEqual(until);
      const [before, after] = [JSON.parse(row?.before_json ?? ''), JSON.parse(row?.after_json ?? '')];
      if (expected.before) expect(before).toMatchObject(expected.before);
      else expect(before).toEqual({});
      if (expected.after) expect(after).toMatchObject(expected.after);
      else expect(after).toEqual({});
    });
  });

  describe('the audit log', () => {
    it('contains no password, code or token', async () => {
      const text = (await log().execute()).flatMap((row) => Object.values(row)).join('\n');
      const shown = secrets.filter((secret) => secret === '' || new RegExp(`(?<!\\w)${secret}(?!\\w)`).test(text));
      expect(secrets.length).toBeGreaterThan(10);
      expect(shown).toEqual([]);
      expect(text).not.toMatch(/argon2/);
    });

    it('has the id of the request that made the entry', async () => {
      const response = await fetch(hub.url + roleCalls.addRole.path, {
        method: 'PUT',
        headers: { Authorization: hub.admin.token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ roleName: unique('r'), menus: [201], tenancyId }),
      });
      const { data } = (await response.json()) as { data: { roleId: string } };
      const entry = (await log().execute()).find((row) => row.target_id === data.roleId);
      expect(entry?.request_id).toBe(response.headers.get('x-request-id'));
    });

    it('records nothing that was rejected, rolled back or only read', async () => {
      const before = await log().execute();
      const taken = await hub.admin.ok(roleCalls.getRoleDetails, { roleId: await hub.create.role(tenancyId, [201]) });
      const refusals: Failure[] = [
        await hub.admin.error(roleCalls.addRole, { roleName: taken.roleName, menus: [201], tenancyId }),
        await hub.admin.error(roleCalls.deleteRole, { roleId: '1' }),
        await hub.admin.error(personalCalls.updateSimpleUser, { userId: 'x', name: '李雷' }),
        await hub.anonymous.error(roleCalls.deleteRole, { roleId: taken.roleId }),
      ];
      await hub.admin.ok(roleCalls.queryRoleList, {});
      const after = await log().execute();
      expect(refusals).toHaveLength(4);
      expect(after.length).toBe(before.length + 1);
    });

    it('filters by time, account, action and target, newest first', async () => {
      const roleId = await hub.create.role(tenancyId, [201]);
      await hub.admin.ok(roleCalls.deleteRole, { roleId });
      const read = async (sent: object) =>
        (await hub.admin.ok(auditCalls.queryAuditLogList, { pageSize: 200, ...sent })).list;
      const both = await read({ target: roleId.toUpperCase() });
      expect(both.map(({ action }) => action)).toEqual(['role.deleteRole', 'role.addRole']);
      expect(await read({ target: roleId, sortMode: 1 })).toEqual(both.toReversed());
      expect(await read({ target: roleId, action: 'DELETEROLE' })).toEqual(both.slice(0, 1));
      expect(await read({ target: roleId, username: 'Admi' })).toEqual(both);
      expect(await read({ target: roleId, username: 'nobody' })).toEqual([]);
      const moment = Date.parse('2030-01-02T03:04:05.678Z');
      await hub.db
        .updateTable('audit_log')
        .set({ created_at: moment })
        .where('target_id', '=', roleId)
        .where('action', '=', 'role.deleteRole')
        .execute();
      expect(await read({ startTime: moment, endTime: moment + 1 })).toMatchObject([
        { auditId: both[0]?.auditId, createTime: '2030-01-02T03:04:05.678Z' },
      ]);
      expect(await read({ startTime: moment + 1 })).toEqual([]);
      expect(await read({ target: roleId, endTime: moment })).toEqual(both.slice(1));
    });

    it('covers every mutation except those of codes', async () => {
      const known = [...Object.keys(commands), ...WITHOUT_ENTRY].sort();
      const all = allCalls.filter(({ call }) => call.kind === 'mutation').map(({ slice, name }) => `${slice}.${name}`);
      expect(known).toEqual(all.sort());
      const written = new Set((await log().execute()).map(({ action }) => action));
      expect([...written].sort()).toEqual([...recorded, ...BESIDE_CALLS].sort());
    });
  });
});
