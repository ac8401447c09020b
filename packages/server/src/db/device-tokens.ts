import { AppError } from '../platform/app-error.ts';
import { digest } from '../platform/ids.ts';
import type { Db } from './connect.ts';

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
    .where((row) =>
      row.or([
        row('device_session.token_hash', '=', digest(token)),
        row('device_session.old_token_hash', '=', digest(token)),
      ]),
    )
    .where('device_session.ended', '=', 0)
    .executeTakeFirst();

/** Whose token this is, by the rows of now; a child has one too. */
export const findByToken = async (db: Db, token: string) => {
  const session = token === '' ? undefined : await findSession(db, token);
  if (!session) throw new AppError('TOKEN_INVALID');
  const current = session.token_hash === digest(token);
  if ((current ? session.expires_at : session.old_expires_at) <= Date.now()) throw new AppError('TOKEN_EXPIRED');
  return session;
};

/**
 * Ends the tokens of all devices of an application or a tenant, in one statement: there may be a million of them.
 * Decisions §4: a closed application or tenant ends its devices' tokens.
 */
export const endTokensOf = async (db: Db, whose: 'application_id' | 'tenancy_id', ids: string[]): Promise<void> => {
  await db
    .updateTable('device_session')
    .set({ ended: 1 })
    .where('ended', '<>', 1)
    .where('device_id', 'in', db.selectFrom('device').select('device_id').where(whose, 'in', ids))
    .execute();
};
