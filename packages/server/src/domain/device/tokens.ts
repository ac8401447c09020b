import { expressionBuilder, type Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { DeviceSessionTable, HubTables } from '../../db/hub-tables.ts';
import { AppError } from '../../platform/app-error.ts';
import { digest } from '../../platform/ids.ts';

/** Matches sessions with this current or previous token. */
export const hasToken = (tokenHash: string) => {
  const row = expressionBuilder<HubTables, 'device_session'>();
  return row.or([
    row('device_session.token_hash', '=', tokenHash),
    row('device_session.old_token_hash', '=', tokenHash),
  ]);
};

type TokenTimes = Pick<Selectable<DeviceSessionTable>, 'token_hash' | 'expires_at' | 'old_expires_at'>;

/** Expiry of that token of the session. */
export const tokenEndsAt = (row: TokenTimes, tokenHash: string): number =>
  row.token_hash === tokenHash ? row.expires_at : row.old_expires_at;

const findSession = (db: Db, token: string) =>
  db
    .selectFrom('device_session')
    .innerJoin('device', 'device.device_id', 'device_session.device_id')
    .innerJoin('zone', 'zone.zone_id', 'device.zone_id')
    .select([
      'device.device_id',
      'device.product_id',
      'device.tenancy_id',
      'device_session.token_hash',
      'device_session.expires_at',
      'device_session.old_expires_at',
      'device_session.gateway_id',
      'zone.zone_id',
      'zone.route_key',
    ])
    .where(hasToken(digest(token)))
    .where('device_session.ended', '=', 0)
    .executeTakeFirst();

/** Finds the device of a token, from its present rows; child devices have tokens too. */
export const findByToken = async (db: Db, token: string) => {
  const session = token === '' ? undefined : await findSession(db, token);
  if (!session) throw new AppError('TOKEN_INVALID');
  if (tokenEndsAt(session, digest(token)) <= Date.now()) throw new AppError('TOKEN_EXPIRED');
  return session;
};

/**
 * Revokes the tokens of all devices of an application or tenant. One statement, because there may be a million.
 * Decisions §4: disabling an application or tenant ends its devices' tokens.
 */
export const endTokensOf = async (db: Db, whose: 'application_id' | 'tenancy_id', ids: string[]): Promise<void> => {
  await db
    .updateTable('device_session')
    .set({ ended: 1 })
    .where('ended', '<>', 1)
    .where('device_id', 'in', db.selectFrom('device').select('device_id').where(whose, 'in', ids))
    .execute();
};
