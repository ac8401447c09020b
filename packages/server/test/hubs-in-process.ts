import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from './client.ts';
import type { Hub } from './hub.ts';
import { preparedForHubs } from './hubs-fixtures.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';

/** Two hubs in the test process, which cannot be killed. */
export type TwoHubs = { a: Hub; b: { url: string; admin: Client }; close: () => Promise<void> };

/** Two hubs on one database in the test process, without notifications: each hub finds the other's rows by polling. */
export const startHubsInProcess = async (extra: Record<string, string> = {}): Promise<TwoHubs> => {
  const files = mkdtempSync(join(tmpdir(), 'device-center-files-'));
  const { environment, SECRET_KEY } = await preparedForHubs();
  const a = await startHub({ SECRET_KEY, FILE_STORE: files, ...extra }, environment);
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'device-center-fellow-'));
  const b = await startInProcessHub({ ...a.env, DATA_DIR });
  return {
    a,
    b: { url: b.url, admin: createClient(b.url, a.admin.token) },
    close: async () => {
      await b.stop();
      await a.close();
      for (const folder of [files, DATA_DIR]) rmSync(folder, { recursive: true, force: true });
    },
  };
};
