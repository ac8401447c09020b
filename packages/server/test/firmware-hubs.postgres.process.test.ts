import { bucketCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireClaims } from './claims-fixtures.ts';
import { type Client, createClient } from './client.ts';
import { describeOnPostgres } from './engine.ts';
import { begin, checked, idAt, offsetAt, randomContent, sendChunk, sums, uriAt } from './firmware-fixtures.ts';
import { type SpawnedHub, spawnHub } from './hub.ts';
import { adminProcess, type HubProcess, startHubProcess } from './hub-process.ts';

describeOnPostgres(() => {
  /** Several hubs share a PostgreSQL and a folder; with SQLite there is only ever one. */
  describe('two hubs', () => {
    let hub: SpawnedHub;
    let second: HubProcess;
    let there: Client;
    beforeAll(async () => {
      hub = await spawnHub();
      second = await startHubProcess(hub.env);
      there = createClient(second.url, hub.admin.token);
    });
    afterAll(async () => {
      await second.stop();
      await hub.close();
    });

    it('sign with the same key', async () => {
      const keys = await Promise.all(
        [hub.url, second.url].map((url) => createClient(url).ok(bucketCalls.getFirmwareKey, {})),
      );
      expect(keys[0]).toEqual(keys[1]);
    });

    it('alternate in an upload, chunk by chunk', async () => {
      const bytes = randomContent(100_000);
      const uploadPath = await begin(hub.admin, { size: bytes.length });
      for (const [client, from] of [
        [hub.admin, 0],
        [there, 25_000],
        [hub.admin, 50_000],
        [there, 75_000],
      ] as const) {
        expect(await offsetAt(client, uploadPath)).toBe(from);
        expect((await sendChunk(client, uploadPath, from, bytes.subarray(from, from + 25_000))).status).toBe(204);
      }
      expect(await checked(hub.admin, uriAt(uploadPath))).toMatchObject({ state: 'ready', ...sums(bytes) });
    });

    it('never write to an upload concurrently', async () => {
      const [one, two] = [randomContent(8_000_000), randomContent(8_000_000)];
      const uploadPath = await begin(hub.admin, { size: 8_000_000 });
      const answers = await Promise.all([
        sendChunk(hub.admin, uploadPath, 0, one),
        sendChunk(there, uploadPath, 0, two),
      ]);
      const taken = answers.map(({ status }) => status);
      expect(taken.toSorted()).toEqual([204, 409]);
      expect(await checked(there, uriAt(uploadPath))).toMatchObject(sums(taken[0] === 204 ? one : two));
    });

    it('check a file once; one takes over when the other is killed', async () => {
      const bytes = Buffer.alloc(120_000_000, randomContent(1_000_003));
      const uploadPath = await begin(there, { size: bytes.length });
      const rowOf = () =>
        hub.db
          .selectFrom('firmware_file')
          .selectAll()
          .where('file_id', '=', idAt(uploadPath))
          .executeTakeFirstOrThrow();
      // The second hub's jobs are paused until the first one has claimed the file.
      process.kill(adminProcess(second), 'SIGSTOP');
      expect((await sendChunk(hub.admin, uploadPath, 0, bytes)).status).toBe(204);
      await expect.poll(async () => (await rowOf()).checker_until, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0);
      await hub.process.kill();
      expect((await rowOf()).state).toBe('checking');
      await expireClaims(hub);
      process.kill(adminProcess(second), 'SIGCONT');
      await expect.poll(async () => (await rowOf()).state, { timeout: 60_000, interval: 100 }).toBe('ready');
      expect(await rowOf()).toMatchObject({ ...sums(bytes), fault: '' });
    }, 120_000);
  });
});
