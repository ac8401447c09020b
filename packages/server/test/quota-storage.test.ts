import { randomBytes } from 'node:crypto';
import { deviceCalls, MessageType, quotaCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { type InProcessHub, startHub } from './in-process-hub.ts';
import type { RawDevice } from './raw-device.ts';

describeOnEachEngine(() => {
  const MB = 1024 ** 2;
  const LARGE = 60_000;
  let hub: InProcessHub;
  let small: Stored;
  let large: Stored;

  type Stored = { tenancyId: string; fixture: ProductFixture; device: RawDevice; sent: number[] };

  beforeAll(async () => {
    hub = await startHub({ RETENTION_BYTES: String(3 * MB), RETENTION_EVERY: '1h' });
    [small, large] = [await createStored(), await createStored()];
  });
  afterAll(async () => {
    for (const { device } of [small, large]) await device.end();
    await hub.close();
  });

  const createStored = async (): Promise<Stored> => {
    const tenancyId = await hub.create.tenancy();
    const fixture = await createProductFixture(hub, {}, tenancyId);
    return { tenancyId, fixture, device: await connectNewDevice(hub, fixture), sent: [] };
  };

  /** Transparent messages, which may have any text. */
  const send = async (whose: Stored, count: number, bytes: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const { dataId } = await whose.device.send({
        type: MessageType.transparent,
        // Random: PostgreSQL compresses what repeats itself.
        payload: randomBytes(bytes / 2).toString('hex'),
      });
      whose.sent.push(Number(dataId));
    }
  };

  const kept = async ({ device }: Stored): Promise<number[]> => {
    const messages = hub.records
      .selectFrom('message_record')
      .select('message_id')
      .where('device_id', '=', device.deviceId)
      .where('data_flow', '=', 1)
      .where('message_type', '=', MessageType.transparent)
      .orderBy('record_id');
    return (await messages.execute()).map(({ message_id }) => message_id);
  };

  const storedBytes = async ({ tenancyId }: Stored): Promise<number> => {
    const { quotas } = await hub.admin.ok(quotaCalls.getTenancyQuotas, { tenancyId });
    return quotas.find(({ name }) => name === 'storedBytes')?.used ?? 0;
  };

  const ageOut = () => hub.process.runJob('delete old records');

  it('deletes records of the tenant that stores the most when the total exceeds the limit', async () => {
    await send(small, 40, 1_000);
    await send(large, 90, LARGE);
    await expect
      .poll(
        async () => {
          await ageOut();
          return (await kept(large)).length;
        },
        { timeout: 20_000 },
      )
      .toBeLessThan(90);
    expect(await kept(small)).toEqual(small.sent);
    // Its oldest went.
    const left = await kept(large);
    expect(left).toEqual(large.sent.slice(-left.length));
  });

  it('deletes records of a tenant over its own limit, and keeps the stored sum correct', async () => {
    const before = await storedBytes(small);
    await hub.admin.ok(quotaCalls.updateTenancyQuotas, {
      tenancyId: small.tenancyId,
      storedBytes: Math.floor(before / 2),
    });
    await ageOut();
    const left = await kept(small);
    expect(left.length).toBeGreaterThan(0);
    expect(left).toEqual(small.sent.slice(-left.length));
    expect(left.length).toBeLessThan(small.sent.length);
    expect(await storedBytes(small)).toBeLessThan(before / 2);
  });

  it('excludes the messages of a deleted device', async () => {
    const other = await connectNewDevice(hub, large.fixture);
    const whose = { ...large, device: other, sent: [] };
    const before = await storedBytes(large);
    await send(whose, 3, LARGE);
    expect(await storedBytes(large)).toBeGreaterThan(before + 3 * LARGE);
    await other.end();
    await hub.admin.ok(deviceCalls.deleteDevices, { deviceIds: [other.deviceId] });
    await expect.poll(() => storedBytes(large), { timeout: 20_000 }).toBeLessThan(before + 3 * LARGE);
    expect(await storedBytes(large)).toBeGreaterThan(0);
  });
});
