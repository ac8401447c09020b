import { Flow } from '@device-center/contract';
import { systemOrder } from '../../db/commands.ts';
import type { Db } from '../../db/connect.ts';
import type { Delivery } from '../../mqtt/server-types.ts';
import { nextSequenceId } from '../../platform/ids.ts';
import type { DeviceConnection, DeviceSession } from './connection-registry.ts';
import type { Downlink } from './downlink.ts';

/** Why it must leave and until when, so that it does not knock in vain. The hub says it and goes on: it is no command. */
export const createKick =
  ({ db, downward }: { db: Db; downward: Pick<Downlink, 'send'> }) =>
  async (peer: DeviceConnection, speaker: DeviceSession, reason: string): Promise<Delivery> => {
    const row = await db
      .selectFrom('device')
      .select('kicked_until')
      .where('device_id', '=', speaker.deviceId)
      .executeTakeFirst();
    const untilTime = row?.kicked_until ?? 0;
    const input = { reason, ...(untilTime > Date.now() ? { untilTime } : {}) };
    const { messageType, functionType, functionId, payload } = systemOrder('kick', input);
    return downward.send(peer, speaker, {
      dataFlow: Flow.request,
      type: messageType,
      dataId: String(nextSequenceId()),
      payload: JSON.stringify(payload),
      functionType,
      functionId,
    });
  };

export type SendKickNotice = ReturnType<typeof createKick>;
