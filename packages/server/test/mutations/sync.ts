import { type Sent, syncCalls, zoneCalls } from '@device-center/contract';
import { outerNode, zoneFields } from '../zone-fixtures.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of synchronisation. */
export const syncMutations: Mutations = (hub, tenancyId) => {
  const { admin } = hub;
  // A zone of another platform with a record to send.
  const created = async (): Promise<number> => {
    await hub.create.product(tenancyId);
    const fields = zoneFields({ zoneType: 2, syncAll: 1, nodes: JSON.stringify([outerNode()]) });
    return (await admin.ok(zoneCalls.addZone, fields as unknown as Sent<typeof zoneCalls.addZone>)).id;
  };
  const by = (zoneId: number) => ({ username: 'admin', tenancyId: '1', targetId: String(zoneId) });

  return {
    'sync.oneKey': async () => {
      const zoneId = await created();
      const answer = await admin.call(syncCalls.oneKey, { zoneId, dataType: 1 });
      return { answer, expected: { ...by(zoneId), after: { dataType: 1 } } };
    },
    'sync.resend': async () => {
      const zoneId = await created();
      const answer = await admin.call(syncCalls.resend, { zoneId, dataType: 1 });
      return { answer, expected: { ...by(zoneId), after: { dataType: 1 } } };
    },
    'sync.request': async () => {
      const zoneId = await created();
      await admin.ok(syncCalls.oneKey, { zoneId, dataType: 1 });
      const [record] = (await admin.ok(syncCalls.querySyncRecordList, { zoneId })).list;
      const syncIds = [record?.syncId ?? ''];
      const answer = await admin.call(syncCalls.request, { zoneId, syncIds });
      return { answer, expected: { ...by(zoneId), after: { syncIds } } };
    },
  };
};
