import { Flow } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { systemServicePayload } from '../../domain/device/commands.ts';
import type { Delivery } from '../../mqtt/server-types.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Downlink } from './downlink.ts';

/** Tells the device the reason and end of a login restriction, so that it does not retry before. It is no command. */
export const createKickNotice =
  ({ db, downlink }: { db: Db; downlink: Pick<Downlink, 'send'> }) =>
  async (connection: DeviceConnection, session: DeviceSession, reason: string): Promise<Delivery> => {
    const row = await db
      .selectFrom('device')
      .select('kicked_until')
      .where('device_id', '=', session.deviceId)
      .executeTakeFirst();
    const untilTime = row?.kicked_until ?? 0;
    const input = { reason, ...(untilTime > Date.now() ? { untilTime } : {}) };
    const { messageType, functionType, functionId, payload } = systemServicePayload('kick', input);
    return downlink.send(connection, session, {
      dataFlow: Flow.request,
      type: messageType,
      dataId: String(nextSequenceId()),
      payload: JSON.stringify(payload),
      functionType,
      functionId,
    });
  };

export type SendKickNotice = ReturnType<typeof createKickNotice>;
