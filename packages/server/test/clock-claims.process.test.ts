import { mockCalls, TaskStatus } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClockHub, createClockHub } from './clock/clock-hub.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import { begin, checked, createVersion, randomContent, sendChunk, sums, uriAt } from './firmware-fixtures.ts';
import { addMock, createMockProducts, mockDetails } from './mock-fixtures.ts';
import { addTask, expectTask, type FleetMember, startMember } from './ota-fixtures.ts';

// On SQLite a claim ends by the clock of the hub, which is set here; on PostgreSQL by the clock of the database.
describeOnOneEngine('sqlite', () => {
  const HOUR = 3_600_000;

  let moved: ClockHub;
  let shop: ProductFixture;
  let member: FleetMember;

  beforeAll(async () => {
    moved = await createClockHub(Date.now());
    shop = await createProductFixture(moved.hub);
    member = await startMember(moved.hub, shop);
    await member.device.stop();
    await moved.stop();
    await moved.startAt(Date.now() + HOUR);
  }, 60_000);
  afterAll(async () => {
    await member.device.stop();
    await moved.close();
  });

  it('takes over work that was claimed with a clock an hour ahead, after the hub is killed and the clock corrected', async () => {
    const { hub } = moved;
    const { admin } = hub;
    const mockId = await addMock(hub, await createMockProducts(hub));
    await admin.ok(mockCalls.saveMockRun, { deviceId: mockId, runInHub: 1, everySeconds: 1 }, { as: 'json' });
    const isRunning = async () => (await mockDetails(hub, mockId)).runningInHub;
    await expect.poll(isRunning, { timeout: 30_000 }).toBe(1);

    const { versionId, versionNumber } = await createVersion(hub, shop);
    const taskId = await addTask(admin, versionId, { deviceListId: [member.deviceId] });
    await expectTask(admin, taskId, TaskStatus.waiting);

    const bytes = randomContent(1_000);
    const upload = await begin(admin, { size: 1_000 });
    expect((await sendChunk(admin, upload, 0, bytes.subarray(0, 400))).status).toBe(204);

    await moved.kill();
    await moved.startAt(Date.now());

    expect((await sendChunk(admin, upload, 400, bytes.subarray(400))).status).toBe(204);
    expect(await checked(admin, uriAt(upload))).toMatchObject({ state: 'ready', ...sums(bytes) });
    await member.device.start();
    await expect.poll(() => member.installed, { timeout: 60_000 }).toEqual([versionNumber]);
    await expectTask(admin, taskId, TaskStatus.succeeded);
    await expect.poll(isRunning, { timeout: 60_000 }).toBe(1);
  }, 180_000);
});
