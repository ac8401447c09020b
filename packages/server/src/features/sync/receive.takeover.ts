import type { deviceTakeoverCalls, Input, Output, productTakeoverCalls } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import { auditOfDevice, findDevice, lockDevices } from '../../domain/device/devices.ts';
import { auditOfProduct, findProduct, lockProducts } from '../../domain/product/products.ts';
import { markModelChanged } from '../../domain/sync/flags.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';

type ProductCalls = typeof productTakeoverCalls;
type DeviceCalls = typeof deviceTakeoverCalls;

const requireReceived = ({ origin_id: origin }: { origin_id: string }, name: string): string => {
  if (origin === '') throw new AppError('NOT_RECEIVED', { name });
  return origin;
};

/** The former origin is stored, so that its later deliveries are rejected with that reason. */
const takenOverColumns = (origin: string) => ({
  origin_id: '',
  former_origin: origin,
  received_from: '',
  received_key: '',
  updated_at: Date.now(),
});

/** Makes received products and devices editable here, for when their sender no longer exists. */
export const createTakeover = ({ db }: { db: Db }) => ({
  async takeOverProduct(
    context: Context,
    { productId }: Input<ProductCalls['takeOverProduct']>,
  ): Promise<Output<ProductCalls['takeOverProduct']>> {
    return withAudit(db, context, async (db) => {
      await lockProducts(db, [productId]);
      const row = await findProduct(db, context.actor, productId);
      const origin = requireReceived(row, row.product_name);
      await db.updateTable('product').set(takenOverColumns(origin)).where('product_id', '=', productId).execute();
      const { numUpdatedRows } = await db
        .updateTable('device')
        .set(takenOverColumns(origin))
        .where('product_id', '=', productId)
        .where('origin_id', '=', origin)
        .executeTakeFirst();
      await markModelChanged(db, productId);
      const devices = Number(numUpdatedRows);
      return { result: { devices }, audit: { ...auditOfProduct(row), before: { origin }, after: { devices } } };
    });
  },

  async takeOverDevice(context: Context, { deviceId }: Input<DeviceCalls['takeOverDevice']>): Promise<null> {
    return withAudit(db, context, async (db) => {
      await lockDevices(db, [deviceId]);
      const row = await findDevice(db, context.actor, deviceId);
      const origin = requireReceived(row, row.device_name);
      await db.updateTable('device').set(takenOverColumns(origin)).where('device_id', '=', deviceId).execute();
      return { result: null, audit: { ...auditOfDevice(row), before: { origin }, after: { origin: '' } } };
    });
  },
});
