import {
  auditCalls,
  type Call,
  deviceCalls,
  type Envelope,
  firmwareCalls,
  mockCalls,
  modelCalls,
  otaCalls,
  outboxCalls,
  personalCalls,
  productCalls,
  recordCalls,
  userCalls,
} from '@device-center/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKEN, type Cell, corruptCell, definitionOf, secretOf } from './damage-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import { createVersion, insertTask } from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { waitFor } from './mailbox.ts';
import { addMock, createMockProducts } from './mock-fixtures.ts';
import { connectDevice, loginFields, tryLogin } from './raw-device.ts';

describeOnOneEngine('sqlite', () => {
  let hub: Hub;
  let fixture: ProductFixture;
  beforeAll(async () => {
    hub = await startHub();
    fixture = await createProductFixture(hub);
  });
  afterAll(() => hub.close());

  const corrupted = <Result>(cell: Cell, text: string, work: () => Promise<Result>): Promise<Result> =>
    corruptCell(hub, cell, text, work);

  /** One clear refusal, in both languages, that names the row; and all is well when the row is. */
  const expectNamed = async (
    cell: Cell,
    call: Call,
    sent: Record<string, unknown>,
    named = `${cell.table} ${cell.id}`,
  ) => {
    await corrupted(cell, BROKEN, async () => {
      for (const [language, words] of [
        ['en-US', 'Stored data is corrupted'],
        ['zh-CN', '存储的数据已损坏'],
      ]) {
        const answer = await hub.admin.send(call, sent, { language: language ?? '' });
        expect(answer).toMatchObject({ success: false, statusCode: 500, code: 'DATA_CORRUPTED', data: null });
        if (answer.success) continue;
        expect(answer.message).toContain(words);
        expect(answer.message).toContain(named);
        expect(answer.requestId).toMatch(/./);
        // The log names the request and the row.
        await expect.poll(() => hub.process.errors()).toContain(answer.requestId);
        expect(hub.process.errors()).toContain(named);
      }
    });
    expect(await hub.admin.send(call, sent)).toMatchObject({ success: true });
  };

  describe('a column that does not parse', () => {
    it('of a product model is reported there; the product list and other models work', async () => {
      const cell = await definitionOf(hub, fixture.productId);
      const { productId } = fixture;
      await expectNamed(cell, modelCalls.getDeviceFunctionDefinitionList, { productId });
      const other = await hub.create.product('1');
      await corrupted(cell, BROKEN, async () => {
        await hub.admin.ok(productCalls.queryDeviceProductList, {});
        await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId: other });
      });
    });

    it('of a mock device is reported there; the list works', async () => {
      const id = await addMock(hub, await createMockProducts(hub));
      for (const column of ['sequence', 'defaults']) {
        const cell = { table: 'mock_device', key: 'device_id', id, column };
        await expectNamed(cell, mockCalls.getMockDeviceDetails, { deviceId: id });
        await corrupted(cell, BROKEN, () => hub.admin.ok(mockCalls.queryMockDeviceList, {}));
      }
    });

    it('of a firmware version and of an upgrade task is reported there', async () => {
      const { versionId } = await createVersion(hub, fixture);
      const version = { table: 'ota_version', key: 'version_id', id: versionId, column: 'manifest' };
      await expectNamed(version, firmwareCalls.getDeviceOtaVersionDetails, { versionId });
      const taskId = await insertTask(hub, { ...fixture, versionId }, 2);
      const task = (column: string) => ({ table: 'ota_task', key: 'task_id', id: taskId, column });
      await expectNamed(task('stages'), otaCalls.getDeviceOtaTaskDetails, { taskId });
      await expectNamed(task('from_versions'), otaCalls.getDeviceOtaTaskDetails, { taskId });
      await expectNamed(task('tally'), otaCalls.queryDeviceOtaTaskList, {});
    });

    it('of an audit entry, of preferences, of a value is reported there', async () => {
      const [entry] = (await hub.admin.ok(auditCalls.queryAuditLogList, {})).list;
      const audit = { table: 'audit_log', key: 'audit_id', id: entry?.auditId ?? '', column: 'after_json' };
      await expectNamed(audit, auditCalls.queryAuditLogList, {});
      const profile = { table: 'user_account', key: 'user_id', id: '1', column: 'preferences' };
      await expectNamed(profile, personalCalls.getPreferences, {});
      const device = await connectNewDevice(hub, fixture);
      const { deviceId } = device;
      await device.send({ type: 2, payload: { properties: { brightness: 7 } } });
      const value = { table: 'latest_value', key: 'device_id', id: deviceId, column: 'value', in: 'records' } as const;
      await expectNamed(value, recordCalls.getLatestValues, { deviceId }, `latest_value ${deviceId} brightness`);
      await device.end();
    });
  });

  describe('a secret that cannot be decrypted', () => {
    it('of a waiting message is reported there; the list works, and the next message is sent', async () => {
      const email = `${unique('user')}@example.com`;
      const sent = { username: unique('user'), name: 'Han Mei', email, roleId: '1' };
      await hub.admin.ok(userCalls.addUser, sent);
      await hub.mailbox.readPassword(email);
      // The mail arrives before its row is updated; that update would repair the corrupted row.
      const row = await waitFor('sent', () =>
        hub.db
          .selectFrom('outbox')
          .select('outbox_id')
          .where('recipient', '=', email)
          .where('state', '=', 'sent')
          .executeTakeFirst(),
      );
      const cell = { table: 'outbox', key: 'outbox_id', id: row.outbox_id, column: 'body_sealed' };
      await expectNamed(cell, outboxCalls.getOutboxMessage, { outboxId: row.outbox_id });
      await corrupted(cell, BROKEN, async () => {
        await hub.db
          .updateTable('outbox')
          .set({ state: 'pending', next_at: 0 })
          .where('outbox_id', '=', row.outbox_id)
          .execute();
        const next = `${unique('user')}@example.com`;
        await hub.admin.ok(userCalls.addUser, { ...sent, username: unique('user'), email: next });
        await hub.mailbox.readPassword(next);
        await waitFor('its reason', async () => {
          const { list } = await hub.admin.ok(outboxCalls.queryOutboxList, { recipient: email });
          return list[0]?.attempts ? true : undefined;
        });
      });
    });

    it('of a device rejects this device only, with an internal error', async () => {
      const [device, other] = [await connectNewDevice(hub, fixture), await connectNewDevice(hub, fixture)];
      await corrupted(secretOf(device.deviceId), BROKEN, async () => {
        expect(await tryLogin(hub.url, loginFields(device))).toMatchObject({ statusCode: 500, code: 'FAULT' });
        expect(hub.process.errors()).toContain(`device ${device.deviceId}`);
        expect((await other.ask({ type: 10, payload: { ask: ['time'] } })).code).toBe(200);
        await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: device.deviceId });
        await device.end();
      });
      const back = await connectDevice(hub.url, device);
      await expectOnline(hub, device.deviceId, 1);
      await Promise.all([back.end(), other.end()]);
    });
  });

  const tellsOfModel = ({ payload }: Envelope): boolean => payload.includes('"changed":["model"]');

  describe('periodic jobs', () => {
    it('keep a corrupt model in the cache and load the changes of others', async () => {
      const [broken, whole] = [await createProductFixture(hub), await createProductFixture(hub)];
      const [first, second] = [await connectNewDevice(hub, broken), await connectNewDevice(hub, whole)];
      const touch = (productId: string) =>
        hub.db
          .updateTable('product')
          .set((row) => ({ model_version: row('model_version', '+', 1) }))
          .where('product_id', '=', productId)
          .execute();
      await corrupted(await definitionOf(hub, broken.productId), BROKEN, async () => {
        await touch(broken.productId);
        await touch(whole.productId);
        await second.next(tellsOfModel);
        await first.send({ type: 2, payload: { properties: { brightness: 9 } } });
        await expect.poll(() => hub.process.errors()).toContain('model reload failed');
      });
      await first.next(tellsOfModel);
      await Promise.all([first.end(), second.end()]);
    });

    it('run the other mock devices when one is unreadable', async () => {
      const mocks = await createMockProducts(hub);
      const [broken, whole] = [await addMock(hub, mocks), await addMock(hub, mocks)];
      await corrupted({ table: 'mock_device', key: 'device_id', id: broken, column: 'defaults' }, BROKEN, async () => {
        await hub.db
          .updateTable('mock_device')
          .set({ run_in_hub: 1 })
          .where('device_id', 'in', [broken, whole])
          .execute();
        await expectOnline(hub, whole, 1);
        await expect.poll(() => hub.process.errors(), { timeout: 20_000 }).toContain(`mock_device ${broken}`);
      });
    }, 60_000);
  });

  describe('a value that no column allows', () => {
    it('appears in a list next to the other rows', async () => {
      const device = await connectNewDevice(hub, fixture);
      await device.end();
      await expectOnline(hub, device.deviceId, 2);
      const { versionId } = await createVersion(hub, fixture);
      const taskId = await insertTask(hub, { ...fixture, versionId }, 42);
      const { db } = hub;
      await sql`update device set online = 9 where device_id = ${device.deviceId}`.execute(db);
      await sql`update product set node_type = 9 where product_id = ${fixture.productId}`.execute(db);
      for (const [call, sent] of [
        [deviceCalls.queryDeviceList, {}],
        [deviceCalls.getDeviceDetails, { deviceId: device.deviceId }],
        [productCalls.queryDeviceProductList, {}],
        [otaCalls.queryDeviceOtaTaskList, {}],
        [otaCalls.getDeviceOtaTaskDetails, { taskId }],
      ] satisfies [Call, Record<string, unknown>][])
        expect([call.path, (await hub.admin.send(call, sent)).statusCode]).toEqual([call.path, 200]);
    });
  });
});
