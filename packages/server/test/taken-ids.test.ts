import { auditCalls, deviceCalls, syncDeliveryCalls, userCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from './client.ts';
import { describeOnEachEngine } from './engine.ts';
import { type TestUser, unique } from './hub.ts';
import { type InProcessHub, sharedHub } from './in-process-hub.ts';
import { createReceiver } from './sync-fixtures.ts';
import { sendParts } from './zone-fixtures.ts';

describeOnEachEngine(() => {
  let hub: InProcessHub;
  let user: TestUser;
  let own: { productId: string; applicationId: string };
  let foreign: { productId: string; applicationId: string };

  const createPlace = async (tenancyId: string) => ({
    productId: await hub.create.product(tenancyId),
    applicationId: await hub.create.application(tenancyId),
  });

  beforeAll(async () => {
    hub = await sharedHub();
    const tenancyId = await hub.create.tenancy();
    user = await hub.create.user({ tenancyId, menus: [501, 202, 201, 203] });
    own = await createPlace(tenancyId);
    foreign = await createPlace(await hub.create.tenancy());
  });

  const add = (client: Client, deviceId: string) => client.call(deviceCalls.addDevice, { deviceId, ...own });
  /** The audit entries of the caller's tenant about an id. */
  const entriesOf = async (targetId: string) => {
    const { list } = await user.ok(auditCalls.queryAuditLogList, { target: targetId });
    return list.map(({ action, username, after }) => ({ action, username, after }));
  };

  describe('an id of another tenant', () => {
    it('is rejected by addDevice with an audit entry', async () => {
      const deviceId = await hub.create.device(foreign);
      expect(await add(user, deviceId)).toMatchObject({ code: 'DEVICE_ID_TAKEN' });
      const after = { refused: 'DEVICE_ID_TAKEN', ids: [deviceId], count: 1 };
      const entry = { action: 'device.addDevice', username: user.username, after };
      expect(await entriesOf(deviceId)).toEqual([entry]);
      // A platform operator sees both tenants and learns nothing.
      expect(await add(hub.admin, deviceId)).toMatchObject({ code: 'DEVICE_ID_TAKEN' });
      expect(await entriesOf(deviceId)).toEqual([entry]);
      const mine = await hub.create.device(own);
      const before = await entriesOf(mine);
      expect(await add(user, mine)).toMatchObject({ code: 'DEVICE_ID_TAKEN' });
      expect(await entriesOf(mine)).toEqual(before);
    });

    it('is reported by checkDeviceFile, and with one audit entry a sheet by registerDevices', async () => {
      const [first, second, mine] = [
        await hub.create.device(foreign),
        await hub.create.device(foreign),
        await hub.create.device(own),
      ];
      const free = unique('free');
      const ids = [first, mine, second, free];
      const file = { name: 'devices.csv', bytes: Buffer.from(`deviceId\n${ids.join('\n')}\n`) };
      const checked = await sendParts(user, deviceCalls.checkDeviceFile, own, { file });
      expect(checked).toMatchObject({ data: { total: 4, valid: 3, refused: [{ deviceId: mine }] } });
      expect(await entriesOf(first)).toEqual([]);
      const sheet = { ...own, devices: ids.map((deviceId) => ({ deviceId })) };
      const { registered, refused } = await user.ok(deviceCalls.registerDevices, sheet, { as: 'json' });
      expect(registered.map(({ deviceId }) => deviceId)).toEqual([free]);
      expect(refused.map(({ deviceId }) => deviceId)).toEqual([first, mine, second]);
      expect(await entriesOf(first)).toMatchObject([
        { action: 'device.registerDevices', after: { ids: [first, second], count: 2 } },
      ]);
    });

    it('writes an audit entry for an account name too', async () => {
      const { username } = await hub.create.user({ tenancyId: await hub.create.tenancy() });
      const sent = { username, name: 'Han Mei', email: `${unique('mail')}@example.com`, roleId: user.roleId };
      expect((await user.error(userCalls.addUser, sent)).code).toBe('USERNAME_TAKEN');
      expect(await entriesOf(username)).toMatchObject([
        { action: 'user.addUser', after: { refused: 'USERNAME_TAKEN', ids: [username] } },
      ]);
    });

    it('writes an audit entry for a synchronisation, in a preview as in a delivery', async () => {
      const landing = await createReceiver(hub);
      const reader = await hub.create.user({ tenancyId: landing.tenancyId, menus: [203] });
      const deviceId = await hub.create.device(foreign);
      const content = { deviceName: 'x', mac: '', versionNumber: '', parentId: '', values: [] };
      const productId = await hub.create.product(landing.tenancyId);
      const item = { kind: 'device' as const, origin: 'elsewhere', revision: 1, content: { productId, ...content } };
      const mine = await hub.create.device({ productId, applicationId: landing.applicationId });
      for (const preview of [1, 0] as const) {
        const items = [
          { ...item, id: mine },
          { ...item, id: deviceId },
        ];
        const sender = createClient(hub.url, landing.key);
        const { results } = await sender.ok(syncDeliveryCalls.deliverSync, { items, preview }, { as: 'json' });
        expect(results.map(({ code }) => code)).toEqual(['deviceIdTaken', 'deviceIdTaken']);
      }
      const { list } = await reader.ok(auditCalls.queryAuditLogList, { target: deviceId });
      const entry = { action: 'bucket.deliverSync', after: { refused: 'deviceIdTaken', ids: [deviceId], count: 1 } };
      expect(list).toMatchObject([entry, entry]);
    });
  });

  describe('a caller who tries many ids', () => {
    it('is throttled alone and for a while', async () => {
      const caller = await hub.create.user({ tenancyId: user.tenancyId, menus: [501] });
      const deviceId = await hub.create.device(foreign);
      for (let tries = 0; tries < 51; tries++)
        expect(await add(caller, deviceId)).toMatchObject({ code: 'DEVICE_ID_TAKEN' });
      expect(await add(caller, unique('free'))).toMatchObject({ statusCode: 429, code: 'IDS_SLOWED' });
      expect(await add(user, unique('free'))).toMatchObject({ success: true });
      const row = () => hub.db.updateTable('taken_id').where('caller_id', '=', caller.userId);
      await row().set({ blocked_until: Date.now() }).execute();
      expect(await add(caller, unique('free'))).toMatchObject({ success: true });
      await row().set({ refused_at: 0 }).execute();
      await hub.process.runJob('sweep taken ids');
      const left = hub.db.selectFrom('taken_id').select('refusals').where('caller_id', '=', caller.userId);
      expect(await left.execute()).toEqual([]);
    });
  });
});
