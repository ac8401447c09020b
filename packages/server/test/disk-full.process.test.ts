import { applicationCalls, deviceCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG, publishAll, upRecords } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine, postgresServer } from './engine.ts';
import { begin, checked, offsetAt, randomContent, refusalOf, sendChunk, sums, uriAt } from './firmware-fixtures.ts';
import { type SpawnedHub, unique } from './hub.ts';
import { adminProcess, deviceProcess } from './hub-process.ts';
import { waitFor } from './mailbox.ts';
import { connectDevice } from './raw-device.ts';
import { limitedFiles, mountedDisk, type SmallDisk, smallTablespace } from './small-disk.ts';

describeOnEachEngine(() => {
  const onPostgres = Boolean(postgresServer());
  const isRoot = process.getuid?.() === 0;

  const FULL = /storage is full.*nothing was saved/;
  const FULL_ZH = /存储空间已满，未保存任何内容/;

  /** Large enough that no room which happens to be left in a file lasts for long. */
  const large = (): { type: number; payload: string } => ({
    type: 6,
    payload: randomContent(30_000).toString('base64'),
  });

  const storedNumbers = async (hub: SpawnedHub, deviceId: string): Promise<string[]> =>
    (await upRecords(hub, deviceId)).map((row) => String(row.message_id));

  /** So that the next request of each would note down that it is used. */
  const letSessionsRest = (hub: SpawnedHub) =>
    hub.db
      .updateTable('session')
      .set({ last_used_at: Date.now() - 120_000 })
      .execute();

  const expectNobodyFell = (hub: SpawnedHub, before: number[]): void =>
    expect([adminProcess(hub.process), deviceProcess(hub.process)]).toEqual(before);

  type Way = {
    name: string;
    makeDisk: () => Promise<SmallDisk>;
    codes: string[];
    database: boolean;
    files: boolean;
    /** Also covered by another case in the same run. */
    whole: boolean;
  };

  const growing: Way = {
    name: 'files that may not grow',
    makeDisk: () => limitedFiles(),
    // SQLite reports a file size limit as an I/O error, not as a full disk.
    codes: ['STORAGE_FULL', 'UNAVAILABLE'],
    database: !onPostgres,
    files: true,
    whole: LONG || !isRoot,
  };
  const mounted: Way = {
    name: 'a disk without room',
    makeDisk: () => mountedDisk(),
    codes: ['STORAGE_FULL'],
    database: true,
    files: true,
    whole: true,
  };
  const tablespace: Way = {
    name: 'PostgreSQL without room',
    makeDisk: smallTablespace,
    codes: ['STORAGE_FULL'],
    database: true,
    files: false,
    whole: true,
  };
  // Firmware lies in the same folder whatever the engine; only root can mount disks.
  const asRoot = onPostgres ? [tablespace] : [growing, mounted];
  const ways = isRoot ? asRoot : [growing];

  describe.each(ways)('$name', ({ makeDisk, codes, database, files, whole }) => {
    let disk: SmallDisk;
    let hub: SpawnedHub;
    let fixture: ProductFixture;
    let sides: number[];
    beforeAll(async () => {
      disk = await makeDisk();
      hub = disk.hub;
      fixture = await createProductFixture(hub);
      sides = [adminProcess(hub.process), deviceProcess(hub.process)];
    });
    afterAll(() => disk.close());

    if (database)
      it('acknowledges no message that is not stored, and stores each once when there is space again', async () => {
        const device = await connectNewDevice(hub, fixture);
        const { deviceId } = device;
        await expectOnline(hub, deviceId, 1);
        await letSessionsRest(hub);
        disk.fill();
        const sent = Array.from({ length: 100 }, () => device.seal(large()));
        const acknowledged = publishAll(device, sent);
        await expect.poll(() => hub.process.errors(), { timeout: 20_000 }).toContain('records not written');
        expect(acknowledged.size).toBeLessThan(sent.length);
        const stored = new Set(await storedNumbers(hub, deviceId));
        expect([...acknowledged].filter((dataId) => !stored.has(dataId))).toEqual([]);
        // Reads are answered meanwhile.
        expect(await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ deviceId });
        disk.makeRoom();
        await expect
          .poll(() => acknowledged.size === sent.length || !device.client.connected, { timeout: 20_000 })
          .toBe(true);
        const back = device.client.connected
          ? device
          : await waitFor('it comes back', () => connectDevice(hub.url, device).catch(() => undefined));
        for (const { type, dataId, sessionId, timestamp, payload } of sent)
          if (!acknowledged.has(dataId)) await back.publish(back.seal({ type, dataId, sessionId, timestamp, payload }));
        expect((await storedNumbers(hub, deviceId)).sort()).toEqual(sent.map(({ dataId }) => dataId).sort());
        await expectOnline(hub, deviceId, 1);
        await back.end();
        expectNobodyFell(hub, sides);
      }, 90_000);

    if (database)
      it("rejects a user's change with a clear message, saves nothing of it, and recovers by itself", async () => {
        const prefix = unique('full');
        const save = (serial: number, language: string) =>
          hub.admin.call(applicationCalls.addApplication, { applicationName: `${prefix}-${serial}` }, { language });
        const kept: string[] = [];
        disk.fill();
        // The last few may still find room in a file.
        let serial = 0;
        const refused = await waitFor('a refusal', async () => {
          const answer = await save(++serial, 'en-US');
          if (!answer.success) return answer;
          kept.push(`${prefix}-${serial}`);
          return undefined;
        });
        expect(codes).toContain(refused.code);
        expect(refused).toMatchObject({ statusCode: 503, data: null, requestId: expect.stringMatching(/./) });
        if (refused.code === 'STORAGE_FULL') {
          expect(refused.message).toMatch(FULL);
          expect(await save(++serial, 'zh-CN')).toMatchObject({ message: expect.stringMatching(FULL_ZH) });
        }
        await hub.admin.ok(applicationCalls.queryApplicationList, {});
        // Reads work, so the hub stays ready for its balancer; the metrics report the problem.
        const writable = (told: boolean) =>
          waitFor(`writable: ${told}`, async () => {
            const answer = await fetch(`${hub.url}/health/ready`);
            const health = (await answer.json()) as { status: string; checks: { writable: boolean } };
            if (health.checks.writable !== told) return undefined;
            return [answer.status, health.status];
          });
        expect(await writable(false)).toEqual([200, 'degraded']);
        expect(await (await fetch(`${hub.url}/metrics`)).text()).toMatch(/^database_writable 0$/m);
        disk.makeRoom();
        expect(await writable(true)).toEqual([200, 'ready']);
        expect(await (await fetch(`${hub.url}/metrics`)).text()).toMatch(/^database_writable 1$/m);
        const answer = await save(++serial, 'en-US');
        expect(answer.success).toBe(true);
        kept.push(`${prefix}-${serial}`);
        const rows = await hub.db
          .selectFrom('application')
          .select('application_name')
          .where('application_name', 'like', `${prefix}%`)
          .execute();
        expect(rows.map((row) => row.application_name).sort()).toEqual(kept.sort());
        expectNobodyFell(hub, sides);
      }, 60_000);

    if (database && whole)
      it('stores each of many changes completely or not at all, with its audit entry', async () => {
        const prefix = unique('many');
        const kept: string[] = [];
        for (let round = 0; round < (LONG ? 4 : 2); round++) {
          const calls = Array.from({ length: 60 }, async (_, index) => {
            if (index === 15) disk.fill();
            if (index === 45) disk.makeRoom();
            const applicationName = `${prefix}-${round}-${index}`;
            const answer = await hub.admin.call(applicationCalls.addApplication, { applicationName });
            if (answer.success) kept.push(answer.data.applicationId);
            else expect(codes).toContain(answer.code);
          });
          await Promise.all(calls).finally(disk.makeRoom);
        }
        const rows = await hub.db
          .selectFrom('application')
          .select('application_id')
          .where('application_name', 'like', `${prefix}%`)
          .execute();
        const audits = await hub.db
          .selectFrom('audit_log')
          .select('target_id')
          .where('action', '=', 'application.addApplication')
          .where('target_name', 'like', `${prefix}%`)
          .execute();
        expect(rows.map((row) => row.application_id).sort()).toEqual(kept.sort());
        expect(audits.map((row) => row.target_id).sort()).toEqual(kept);
        expectNobodyFell(hub, sides);
      }, 60_000);

    if (files)
      it('rejects a chunk of firmware, and resumes the upload later', async () => {
        const bytes = randomContent(LONG ? 8_000_000 : 2_000_000);
        const location = await begin(hub.admin, { size: bytes.length });
        disk.fill();
        const refused = await sendChunk(hub.admin, location, 0, bytes);
        const words = await refusalOf(refused);
        expect(refused.status).toBe(503);
        expect(codes).toContain(words.code);
        if (words.code === 'STORAGE_FULL') expect(words.message).toMatch(FULL);
        disk.makeRoom();
        const offset = await offsetAt(hub.admin, location);
        expect(offset).toBeLessThan(bytes.length);
        const answer = await sendChunk(hub.admin, location, offset, bytes.subarray(offset));
        expect(answer.status).toBe(204);
        const file = await checked(hub.admin, uriAt(location));
        expect(file).toMatchObject({ state: 'ready', ...sums(bytes) });
        expectNobodyFell(hub, sides);
      }, 60_000);

    if (database && whole)
      it('restarts a process that ends meanwhile', async () => {
        const device = await connectNewDevice(hub, fixture);
        await expectOnline(hub, device.deviceId, 1);
        disk.fill();
        const ends = (): number => hub.process.errors().split('process ended, started again').length - 1;
        const isReady = async (): Promise<boolean> => (await fetch(`${hub.url}/health/ready`)).status === 200;
        const before = ends();
        process.kill(deviceProcess(hub.process), 'SIGKILL');
        await waitFor('the supervisor has seen it', () => (ends() > before ? true : undefined));
        // It is up without room, or has tried in vain.
        await waitFor('another try', async () => (ends() > before + 1 || (await isReady()) ? true : undefined));
        disk.makeRoom();
        await waitFor('ready', async () => ((await isReady()) ? true : undefined));
        // The admin process may answer for a moment as if the device process still ran.
        const back = await waitFor('connected', () => connectDevice(hub.url, device).catch(() => undefined));
        const sent = await back.send(large());
        expect(await storedNumbers(hub, device.deviceId)).toContain(sent.dataId);
        await expectOnline(hub, device.deviceId, 1);
        await back.end();
      }, 60_000);
  });
});
