import type { InProcessHub } from './in-process-hub.ts';

/** Ends the waiting time of a deleted device's id, during which messages of it may still arrive. */
export const releaseDeviceId = async (hub: InProcessHub, deviceId: string): Promise<void> => {
  const rows = () => hub.db.selectFrom('deleted_device').select('device_id').where('device_id', '=', deviceId);
  while ((await rows().execute()).length > 0) {
    await hub.db.updateTable('deleted_device').set({ due_at: 0 }).where('device_id', '=', deviceId).execute();
    await hub.process.runJob('remove late records');
  }
};
