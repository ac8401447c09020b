import type { deviceCalls, Input, Output } from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { withAudit } from '../../db/with-audit.ts';
import { attributesOf, changedAttributeColumns } from '../../domain/device/attributes.ts';
import { auditOfDevice, type DeviceRecord, findDevice, findDevices, lockDevices } from '../../domain/device/devices.ts';
import { requestDisconnect, revokeTokens } from '../../domain/device/instructions.ts';
import { removeDeviceRecords, removeDeviceRows } from '../../domain/device/removal.ts';
import { REREGISTER_MS } from '../../domain/product/secret.ts';
import { assertNotSynced } from '../../domain/sync/flags.ts';
import type { Context } from '../../platform/actor.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newSecret } from '../../platform/ids.ts';
import type { Notifier } from '../../platform/notifier.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { iso } from '../../platform/time.ts';

type Calls = typeof deviceCalls;
type Deps = { db: Db; records: RecordDb; secrets: SecretBox; notifier: Pick<Notifier, 'send'> };

const fieldsOf = (row: DeviceRecord) => ({
  deviceName: row.device_name,
  ...attributesOf(row),
  productId: row.product_id,
  applicationId: row.application_id,
});

export const createDeviceChanges = ({ db, records, secrets, notifier }: Deps) => ({
  async updateDevice(context: Context, { deviceId, ...changes }: Input<Calls['updateDevice']>): Promise<null> {
    return withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      assertNotSynced(row, row.device_name);
      await db
        .updateTable('device')
        .set({
          device_name: changes.deviceName,
          device_name_key: foldCase(changes.deviceName),
          ...changedAttributeColumns(changes),
          updated_at: Date.now(),
        })
        .where('device_id', '=', deviceId)
        .execute();
      return {
        result: null,
        audit: { ...auditOfDevice(row), before: fieldsOf(row), after: { ...fieldsOf(row), ...changes } },
      };
    });
  },

  /** Disconnects, then deletes records, then rows, so that a reused id never shows records of the deleted device. */
  async deleteDevices(context: Context, input: Input<Calls['deleteDevices']>): Promise<null> {
    const deviceIds = [...new Set(input.deviceIds)].sort();
    await transact(db, async (db) => {
      await findDevices(db, context.actor, deviceIds, 'deviceIds');
      await revokeTokens(db, deviceIds);
      await requestDisconnect(db, 'device', deviceIds, 'deleted');
    });
    notifier.send('instruction');
    await removeDeviceRecords(records, deviceIds);
    await withAudit(db, context, async (db) => {
      await lockDevices(db, deviceIds);
      const rows = await findDevices(db, context.actor, deviceIds, 'deviceIds');
      await removeDeviceRows(db, deviceIds);
      // Repeated for devices that logged in meanwhile.
      await requestDisconnect(db, 'device', deviceIds, 'deleted');
      return { result: null, audit: rows.map((row) => ({ ...auditOfDevice(row), before: fieldsOf(row) })) };
    });
    notifier.send('instruction');
    // Records that arrived during the deletion.
    await removeDeviceRecords(records, deviceIds);
    return null;
  },

  async resetDeviceSecret(
    context: Context,
    { deviceId }: Input<Calls['resetDeviceSecret']>,
  ): Promise<Output<Calls['resetDeviceSecret']>> {
    const deviceSecret = newSecret();
    const result = await withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      assertNotSynced(row, row.device_name);
      await db
        .updateTable('device')
        .set({
          secret_sealed: secrets.seal(deviceSecret),
          secret_proven: 0,
          secret_by_console: 1,
          reregister_until: 0,
          updated_at: Date.now(),
        })
        .where('device_id', '=', deviceId)
        .execute();
      await revokeTokens(db, [deviceId]);
      await requestDisconnect(db, 'device', [deviceId], 'secretReset');
      return { result: { deviceId, deviceName: row.device_name, deviceSecret }, audit: auditOfDevice(row) };
    });
    notifier.send('instruction');
    return result;
  },

  /** For a device that has lost its secret and cannot be reached physically. */
  async allowReregistration(
    context: Context,
    { deviceId }: Input<Calls['allowReregistration']>,
  ): Promise<Output<Calls['allowReregistration']>> {
    return withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      assertNotSynced(row, row.device_name);
      const now = Date.now();
      const until = now + REREGISTER_MS;
      await db
        .updateTable('device')
        .set({ reregister_until: until, updated_at: now })
        .where('device_id', '=', deviceId)
        .execute();
      const after = { reregisterUntil: iso(until) };
      return { result: { deviceId, ...after }, audit: { ...auditOfDevice(row), after } };
    });
  },
});
