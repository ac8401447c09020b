import { connect } from '../db/connect.ts';
import { withAudit } from '../db/with-audit.ts';
import { PLATFORM } from '../domain/tenant/platform-ids.ts';
import { newPassword } from '../platform/ids.ts';
import { hashPassword } from '../platform/passwords.ts';
import { readSettings } from '../platform/settings.ts';

/**
 * `npm run reset-admin [account]`: sets a new one-time password, for an operator with access to the machine who lost
 * the password.
 */
const username = process.argv[2] ?? PLATFORM.username;
const password = newPassword();
const passwordHash = await hashPassword(password);
const db = connect(readSettings(process.env));
// A command line has no logged-in user: the audit entry names the command.
const author = { actor: null, action: 'command.resetAdmin', ip: '', requestId: '' };
const changed = await withAudit(db, author, async (db) => {
  const user = await db
    .selectFrom('user_account')
    .select(['user_id', 'username', 'tenancy_id'])
    .where('username_key', '=', username.toLowerCase())
    .where('role_id', '=', PLATFORM.roleId)
    .executeTakeFirst();
  if (!user) return { result: false, audit: [] };
  await db.deleteFrom('session').where('user_id', '=', user.user_id).execute();
  await db
    .updateTable('user_account')
    .set({ password_hash: passwordHash, must_change_password: 1, updated_at: Date.now() })
    .where('user_id', '=', user.user_id)
    .execute();
  const { user_id: userId, username: targetName, tenancy_id: tenancyId } = user;
  const audit = { tenancyId, targetId: userId, targetName };
  return { result: true, audit };
});
await db.destroy();

if (changed) process.stdout.write(`  account   ${username}\n  password  ${password}   (one-time)\n`);
else {
  process.stderr.write(`there is no platform administrator named ${username}\n`);
  process.exitCode = 1;
}
