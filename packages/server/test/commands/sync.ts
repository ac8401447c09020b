import { type Sent, syncCalls, zoneCalls } from '@device-center/contract';
import { outerNode, zoneFields } from '../zone-fixtures.ts';
import type { Commands } from './done.ts';

/** How the calls about synchronisation come to succeed. */
export const syncCommands: Commands = (hub, tenancyId) => {
  const { admin } = hub;
  // A zone of another platform with something to be sent to it.
  const made = async (): Promise<number> => {
    await hub.create.product(tenancyId);
    const fields = zoneFields({ zoneType: 2, syncAll: 1, nodes: JSON.stringify([outerNode()]) });
    return (await admin.ok(zoneCalls.addZone, fields as unknown as Sent<typeof zoneCalls.addZone>)).id;
  };
  const by = (zoneId: number) => ({ username: 'admin', tenancyId: '1', targetId: String(zoneId) });

  return {
    'sync.oneKey': async () => {
      const zoneId = await made();
      const answer = await admin.call(syncCalls.oneKey, { zoneId, dataType: 1 });
      return { answer, expected: { ...by(zoneId), after: { dataType: 1 } } };
    },
    'sync.resend': async () => {
      const zoneId = await made();
      const answer = await admin.call(syncCalls.resend, { zoneId, dataType: 1 });
      return { answer, expected: { ...by(zoneId), after: { dataType: 1 } } };
    },
    'sync.request': async () => {
      const zoneId = await made();
      await admin.ok(syncCalls.oneKey, { zoneId, dataType: 1 });
      const [record] = (await admin.ok(syncCalls.querySyncRecordList, { zoneId })).list;
      const syncIds = [record?.syncId ?? ''];
      const answer = await admin.call(syncCalls.request, { zoneId, syncIds });
      return { answer, expected: { ...by(zoneId), after: { syncIds } } };
    },
  };
};
