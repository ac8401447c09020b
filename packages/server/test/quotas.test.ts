import {
  accountCalls,
  auditCalls,
  CodePurpose,
  MessageType,
  type QuotaName,
  quotaCalls,
  recordCalls,
} from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { begin, create, refusalOf, tus } from './firmware-fixtures.ts';
import { type Hub, unique, uniquePhone } from './hub.ts';
import { type InProcessHub, sharedHub } from './in-process-hub.ts';
import { connectDevice } from './raw-device.ts';

const MB = 1024 ** 2;
const DAY_MS = 86_400_000;
let hub: InProcessHub;

const useHub = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
  });
};

const limit = (tenancyId: string, limits: Partial<Record<QuotaName, number>>) =>
  hub.admin.ok(quotaCalls.updateTenancyQuotas, { tenancyId, ...limits });
const quotasOf = async (tenancyId: string) => {
  const { quotas } = await hub.admin.ok(quotaCalls.getTenancyQuotas, { tenancyId });
  return Object.fromEntries(quotas.map(({ name, ...quota }) => [name, quota]));
};

const ask = async (user: Awaited<ReturnType<Hub['create']['user']>>) => {
  const answer = await user.call(accountCalls.getPhoneCode, { phone: uniquePhone(), type: CodePurpose.bind });
  return answer.success ? 'sent' : answer.code;
};

const messagesOf = async (deviceId: string): Promise<number> =>
  (await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, functionId: 'lampFault', pageSize: 1 })).total;

/** 0 until the device process has reported its metrics for the first time. */
const slowed = async (whose: 'device' | 'tenant'): Promise<number> => {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  const [, count = 0] = new RegExp(`^device_messages_slowed_total\\{quota="${whose}"\\} (\\d+)$`, 'm').exec(text) ?? [];
  return Number(count);
};
const expectSlowed = (whose: 'device' | 'tenant', before: number) =>
  expect.poll(() => slowed(whose), { timeout: 20_000 }).toBeGreaterThan(before);

const COUNT = 60;
/** Sends so many events at once; `acknowledged` grows as they are stored. */
const flood = async ({ productId, productSecret }: ProductFixture, qos: 0 | 1 = 1) => {
  const deviceId = unique('dev');
  const device = await connectDevice(hub.url, { productId, deviceId, secret: productSecret });
  const acknowledged: number[] = [];
  const sent = Array.from({ length: COUNT }, async () => {
    const envelope = device.seal({
      type: MessageType.event,
      payload: { event: 'lampFault', output: { reason: 'heat' } },
    });
    await device.publish(envelope, qos);
    acknowledged.push(Number(envelope.dataId));
  });
  return { device, deviceId, acknowledged, all: Promise.all(sent) };
};
type Flood = Awaited<ReturnType<typeof flood>>;

/** Without the limit, waiting messages are stored in order, and no connection was closed. */
const expectAll = async (tenancyId: string, floods: Flood[]): Promise<void> => {
  await limit(tenancyId, {});
  await hub.process.runDeviceJob('poll quotas');
  for (const { device, deviceId, acknowledged, all } of floods) {
    await all;
    expect(acknowledged).toEqual([...acknowledged].sort((one, other) => one - other));
    await expect.poll(() => messagesOf(deviceId), { timeout: 20_000 }).toBe(COUNT);
    expect(device.client.connected).toBe(true);
    await device.end();
  }
};

const limited = async (limits: Partial<Record<QuotaName, number>>) => {
  const tenancyId = await hub.create.tenancy();
  await limit(tenancyId, limits);
  await hub.process.runDeviceJob('poll quotas');
  return { tenancyId, fixture: await createProductFixture(hub, {}, tenancyId) };
};

describeOnEachEngine(() => {
  useHub();

  describe('quotas of a tenant', () => {
    it('have defaults, are set by the platform, readable by the tenant and audited', async () => {
      const tenancyId = await hub.create.tenancy();
      const user = await hub.create.user({ tenancyId, menus: [501] });
      expect(await quotasOf(tenancyId)).toMatchObject({
        messagesPerSecond: { limit: 5_000, own: 0, used: null },
        storedBytes: { limit: null, own: 0, used: 0 },
        uploadBytes: { limit: 20 * 1024 * MB, own: 0, used: 0 },
      });
      await limit(tenancyId, { messagesPerSecond: 30, storedBytes: 5 * MB });
      const own = await user.ok(quotaCalls.getOwnQuotas, {});
      expect(own.quotas.find(({ name }) => name === 'messagesPerSecond')).toMatchObject({ limit: 30, own: 1 });
      expect(own.quotas.find(({ name }) => name === 'storedBytes')).toMatchObject({ limit: 5 * MB, own: 1 });
      // Omitted quotas return to their default.
      await limit(tenancyId, { storedBytes: 6 * MB });
      expect(await quotasOf(tenancyId)).toMatchObject({
        messagesPerSecond: { limit: 5_000, own: 0 },
        storedBytes: { limit: 6 * MB, own: 1 },
      });
      const { list } = await hub.admin.ok(auditCalls.queryAuditLogList, { tenancyId, action: 'updateTenancyQuotas' });
      expect(list).toHaveLength(2);
    });
  });

  describe('the upload quota', () => {
    it('counts declared bytes of unfinished uploads, and releases them with their upload', async () => {
      const tenancyId = await hub.create.tenancy();
      const user = await hub.create.user({ tenancyId, menus: [601] });
      await limit(tenancyId, { uploadBytes: 100 * MB });
      const first = await begin(user, { size: 60 * MB });
      const refused = await create(user, { fileName: 'large.bin', size: 50 * MB });
      expect(await refusalOf(refused)).toMatchObject({ statusCode: 409, code: 'QUOTA_UPLOADS' });
      expect(await refusalOf(await create(user, { fileName: 'large.bin', size: 50 * MB }))).toMatchObject({
        message:
          'Firmware storage quota exceeded: 60 MB of 100 MB used, this upload needs 50 MB; delete unused firmware or unfinished uploads',
      });
      expect(await quotasOf(tenancyId)).toMatchObject({ uploadBytes: { limit: 100 * MB, used: 60 * MB } });
      await tus(user, 'DELETE', first);
      await begin(user, { size: 50 * MB });
    });

    it('is not exceeded by concurrent uploads', async () => {
      const tenancyId = await hub.create.tenancy();
      const user = await hub.create.user({ tenancyId, menus: [601] });
      await limit(tenancyId, { uploadBytes: 100 * MB });
      const begun = await Promise.all(
        Array.from({ length: 8 }, () => create(user, { fileName: `${unique('fw')}.bin`, size: 40 * MB })),
      );
      expect(begun.map(({ status }) => status).sort()).toEqual([201, 201, ...Array.from({ length: 6 }, () => 409)]);
    });
  });

  describe('the code quota', () => {
    it('limits the codes of a user in a day, and sends nothing for rejected requests', async () => {
      const tenancyId = await hub.create.tenancy();
      const [one, other] = [await hub.create.user({ tenancyId }), await hub.create.user({ tenancyId })];
      await limit(tenancyId, { userTextsPerDay: 2, textsPerDay: 3 });
      const told = await Promise.all([ask(one), ask(one), ask(one), ask(one)]);
      expect(told.sort()).toEqual(['QUOTA_USER_TEXTS', 'QUOTA_USER_TEXTS', 'sent', 'sent']);
      // The tenant has one left for all its users.
      expect([await ask(other), await ask(other)]).toEqual(['sent', 'QUOTA_TEXTS']);
      const phone = uniquePhone();
      const refused = await one.error(accountCalls.getPhoneCode, { phone, type: CodePurpose.bind });
      expect(refused).toMatchObject({
        statusCode: 429,
        message: 'Your quota of codes for today is used up (2 of 2), try again tomorrow',
      });
      const sent = hub.db.selectFrom('outbox').select('outbox_id').where('recipient_key', '=', phone);
      expect(await sent.execute()).toEqual([]);
      // The quota restarts tomorrow.
      await hub.db
        .updateTable('text_usage')
        .set((row) => ({ usage_day: row('usage_day', '-', 1) }))
        .where('tenancy_id', '=', tenancyId)
        .execute();
      expect(await ask(one)).toBe('sent');
    });
  });

  describe('the message rate limit', () => {
    it('becomes that of a whole day once the quota of the day is used up', async () => {
      const { tenancyId, fixture } = await limited({ messagesPerDay: 1 });
      const first = await connectDevice(hub.url, {
        productId: fixture.productId,
        deviceId: unique('dev'),
        secret: fixture.productSecret,
      });
      await first.send({ type: MessageType.event, payload: { event: 'lampFault', output: { reason: 'heat' } } });
      await hub.process.runDeviceJob('poll quotas');
      expect(await quotasOf(tenancyId)).toMatchObject({ messagesPerDay: { limit: 1, used: 1 } });
      const before = await slowed('tenant');
      const slow = await flood(fixture);
      await expectSlowed('tenant', before);
      expect(slow.acknowledged.length).toBeLessThan(COUNT);
      await expectAll(tenancyId, [slow]);
      await first.end();
    });
  });
});

describe('on the default engine', () => {
  useHub();

  describe('quotas of a tenant', () => {
    it('are set and read by the platform only, and are whole numbers above 0', async () => {
      const tenancyId = await hub.create.tenancy();
      const other = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [201, 501] });
      for (const call of [quotaCalls.getTenancyQuotas, quotaCalls.updateTenancyQuotas] as const)
        expect(await other.error(call, { tenancyId })).toMatchObject({ code: 'FORBIDDEN' });
      for (const messagesPerDay of [0, -1, 1.5, 1e15])
        expect(await hub.admin.error(quotaCalls.updateTenancyQuotas, { tenancyId, messagesPerDay })).toMatchObject({
          code: 'BAD_INPUT',
          details: [{ field: 'messagesPerDay' }],
        });
      expect(await quotasOf(tenancyId)).toMatchObject({ messagesPerDay: { own: 0 } });
      expect(await hub.admin.error(quotaCalls.getTenancyQuotas, { tenancyId: 'none' })).toMatchObject({
        code: 'TENANCY_NOT_FOUND',
      });
    });
  });

  describe('the code quota', () => {
    it('of an account limits recovery codes requested by a stranger, with the same answer', async () => {
      const tenancyId = await hub.create.tenancy();
      const user = await hub.create.user({ tenancyId });
      await limit(tenancyId, { userTextsPerDay: 1 });
      const recover = () => hub.anonymous.call(accountCalls.getVerificationCode, { email: user.email });
      expect(await recover()).toMatchObject({ success: true });
      await hub.db
        .updateTable('verification_code')
        .set({ created_at: 1 })
        .where('address_key', '=', user.email)
        .execute();
      expect(await recover()).toMatchObject({ success: true });
      const codes = hub.db
        .selectFrom('outbox')
        .select('state')
        .where('recipient_key', '=', user.email)
        .where('created_at', '>', Date.now() - DAY_MS)
        .orderBy('created_at', 'desc')
        .limit(2);
      expect((await codes.execute()).map(({ state }) => state === 'suppressed')).toEqual([true, false]);
    });
  });

  describe('the message rate limit', () => {
    it('of a device throttles it, with QoS 0 and 1, and no other device', async () => {
      const { tenancyId, fixture } = await limited({ deviceMessagesPerSecond: 1 });
      const before = await slowed('device');
      const slow = [await flood(fixture, 1), await flood(fixture, 0)];
      const other = await flood(await createProductFixture(hub, {}, await hub.create.tenancy()));
      await other.all;
      await expectSlowed('device', before + 1);
      expect(slow[0]?.acknowledged.length).toBeLessThan(COUNT);
      expect(await messagesOf(slow[1]?.deviceId ?? '')).toBeLessThan(COUNT);
      await expectAll(tenancyId, slow);
      await other.device.end();
    });

    it('of a tenant throttles its devices, and no other tenant', async () => {
      const { tenancyId, fixture } = await limited({ messagesPerSecond: 1 });
      const before = await slowed('tenant');
      const slow = [await flood(fixture), await flood(fixture)];
      const other = await flood(await createProductFixture(hub, {}, await hub.create.tenancy()));
      await other.all;
      await expectSlowed('tenant', before + 1);
      for (const { acknowledged } of slow) expect(acknowledged.length).toBeLessThan(COUNT);
      await expectAll(tenancyId, slow);
      await other.device.end();
    });
  });
});
