import type { deviceCalls, Input, Output } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import { readDevices, selectDevices } from '../../db/devices.ts';
import { scopeOf, seesNothing } from '../../db/scope.ts';
import type { Context } from '../../platform/actor.ts';

type Calls = typeof deviceCalls;

export const createDeviceService = ({ db }: { db: Db }) => ({
  async queryDeviceList(
    { actor, language }: Context,
    input: Input<Calls['queryDeviceList']>,
  ): Promise<Output<Calls['queryDeviceList']>> {
    let rows = selectDevices(db, scopeOf(actor, input.tenancyId));
    if (seesNothing(actor, input.tenancyId)) rows = rows.where('device.device_id', '=', '');
    if (input.applicationId) rows = rows.where('device.application_id', '=', input.applicationId);
    if (input.categoryId) rows = rows.where('product.category_id', '=', input.categoryId);
    if (input.deviceId) rows = rows.where(contains('device.device_id_key', input.deviceId));
    if (input.deviceName) rows = rows.where(contains('device.device_name_key', input.deviceName));
    if (input.nodeType) rows = rows.where('product.node_type', '=', input.nodeType);
    if (input.mac) rows = rows.where(contains('device.mac_key', input.mac));
    if (input.online) rows = rows.where('device.online', '=', input.online);
    if (input.productId) rows = rows.where('device.product_id', '=', input.productId);
    if (input.protocolId) rows = rows.where('product.protocol_id', '=', input.protocolId);
    if (input.parentId) rows = rows.where('device.parent_id', '=', input.parentId);
    return readDevices(db, rows, language, input);
  },
});

export type DeviceService = ReturnType<typeof createDeviceService>;
