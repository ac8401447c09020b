import type { controlCalls, Input, Output } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains, containsAny } from '../../db/contains.ts';
import { isOtherTenant, scopeOf } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import {
  auditOfDevice,
  deviceAnswer,
  devicesOf,
  findDevice,
  findDevices,
  lockDevices,
  readDeviceRecords,
} from '../../domain/device/devices.ts';
import { requestDisconnect, revokeTokens } from '../../domain/device/instructions.ts';
import { assertNotSynced } from '../../domain/sync/flags.ts';
import type { Context } from '../../platform/actor.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { iso, isoOrBlank } from '../../platform/time.ts';

type Calls = typeof controlCalls;
type Deps = { db: Db; notifier: Pick<Notifier, 'send'> };

const DAY_MS = 86_400_000;

/** Restricts which devices may connect: blacklist and kicks. */
export const createRestrictions = ({ db, notifier }: Deps) => ({
  /** Applies to all devices or, if one fails, to none. */
  async markBlack(context: Context, { idList, op, reason }: Input<Calls['markBlack']>): Promise<null> {
    await withAudit(db, context, async (db) => {
      const requestedIds = [...new Set(idList)].sort();
      await lockDevices(db, requestedIds);
      const rows = await findDevices(db, context.actor, requestedIds, 'idList');
      for (const row of rows) assertNotSynced(row, row.device_name);
      const changed = rows.filter((row) => row.blacklisted !== op);
      const deviceIds = changed.map((row) => row.device_id);
      if (deviceIds.length > 0) {
        const now = Date.now();
        const added = { blacklisted: op, black_at: now, black_reason: reason, black_by: context.actor.username };
        const cleared = { blacklisted: op, black_at: 0, black_reason: '', black_by: '' };
        await db
          .updateTable('device')
          .set({ ...(op === 1 ? added : cleared), updated_at: now })
          .where('device_id', 'in', deviceIds)
          .execute();
      }
      if (op === 1) {
        await revokeTokens(db, deviceIds);
        await requestDisconnect(db, 'device', deviceIds, 'blacklisted');
      }
      const audit = changed.map((row) => ({
        ...auditOfDevice(row),
        before: { blacklisted: row.blacklisted, reason: row.black_reason },
        after: { blacklisted: op, reason: op === 1 ? reason : '' },
      }));
      return { result: null, audit };
    });
    notifier.send('instruction');
    return null;
  },

  async blackList({ actor, language }: Context, input: Input<Calls['blackList']>): Promise<Output<Calls['blackList']>> {
    let rows = (await devicesOf(db, scopeOf(actor, input.tenancyId))).where('device.blacklisted', '=', 1);
    if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('device.device_id', '=', '');
    if (input.productId) rows = rows.where('device.product_id', '=', input.productId);
    if (input.deviceId) rows = rows.where(contains('device.device_id_key', input.deviceId));
    if (input.deviceName) rows = rows.where(contains('device.device_name_key', input.deviceName));
    if (input.searchValue)
      rows = rows.where(
        containsAny(['device.device_id_key', 'device.device_name_key', 'device.mac_key'], input.searchValue),
      );
    // The creation time of an entry is when the device was blacklisted.
    const page = await readDeviceRecords(db, rows, input, { createdAt: 'device.black_at' });
    return {
      ...page,
      list: page.list.map((row) => ({
        ...deviceAnswer(language, row),
        blackTime: isoOrBlank(row.black_at),
        blackReason: row.black_reason,
        blackBy: row.black_by,
      })),
    };
  },

  /**
   * Decisions §4: without days only the current session ends; an existing restriction is not shortened. The token is
   * revoked too, because the hub cannot end a connection to a zone broker.
   */
  async kickOut(context: Context, { deviceId, op, until = 0, reason }: Input<Calls['kickOut']>): Promise<null> {
    await withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      assertNotSynced(row, row.device_name);
      const now = Date.now();
      const newKickedUntil = until > 0 ? now + until * DAY_MS : row.kicked_until;
      const kickedUntil = op === 1 ? newKickedUntil : 0;
      await db
        .updateTable('device')
        .set({ kicked_until: kickedUntil, updated_at: now })
        .where('device_id', '=', deviceId)
        .execute();
      if (op === 1) {
        await revokeTokens(db, [deviceId]);
        await requestDisconnect(db, 'device', [deviceId], 'kicked', reason);
      }
      const isoIfFuture = (time: number) => (time > now ? iso(time) : '');
      const before = { kickedUntil: isoIfFuture(row.kicked_until) };
      const after = { op, kickedUntil: isoIfFuture(kickedUntil), reason };
      return { result: null, audit: { ...auditOfDevice(row), before, after } };
    });
    if (op === 1) notifier.send('instruction');
    return null;
  },
});
