import type { InProcessHub } from './in-process-hub.ts';

/** Time passes for the id of a deleted device, until nothing of that device can be on its way any more. */
export const freeId = async (hub: InProcessHub, deviceId: string): Promise<void> => {
  const rows = () => hub.db.selectFrom('deleted_device').select('device_id').where('device_id', '=', deviceId);
  while ((await rows().execute()).length > 0) {
    await hub.db.updateTable('deleted_device').set({ due_at: 0 }).where('device_id', '=', deviceId).execute();
    await hub.process.runJob('remove late records');
  }
};
