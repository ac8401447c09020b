import { deviceCalls, syncDeliveryCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { createReceiver } from './sync-fixtures.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  let landing: Awaited<ReturnType<typeof createReceiver>>;
  let receiver: TestUser;
  let products: { gateway: string; child: string; plain: string };

  beforeAll(async () => {
    hub = await sharedHub();
    landing = await createReceiver(hub);
    const { tenancyId } = landing;
    receiver = await hub.create.user({ tenancyId, menus: [501] });
    products = {
      gateway: await hub.create.product(tenancyId, { nodeType: 2 }),
      child: await hub.create.product(tenancyId, { nodeType: 3 }),
      plain: await hub.create.product(tenancyId),
    };
  });

  const deliver = (devices: { id: string; productId: string; parentId?: string }[]) =>
    createClient(hub.url, landing.key).ok(
      syncDeliveryCalls.deliverSync,
      {
        items: devices.map(({ id, productId, parentId = '' }) => ({
          kind: 'device' as const,
          id,
          origin: 'elsewhere',
          revision: 1,
          content: { productId, deviceName: id, mac: '', versionNumber: '', parentId, values: [] },
        })),
      },
      { as: 'json' },
    );

  const detailsFor = (user: Pick<TestUser, 'ok'>, deviceId: string) =>
    user.ok(deviceCalls.getDeviceDetails, { deviceId });

  describe('the gateway of a received device', () => {
    it('is found within the tenant, in any order of arrival', async () => {
      const [gateway, child] = [unique('gw'), unique('child')];
      await deliver([{ id: child, productId: products.child, parentId: gateway }]);
      await deliver([{ id: gateway, productId: products.gateway }]);
      expect(await detailsFor(receiver, child)).toMatchObject({ parentId: gateway, parentName: gateway });
      expect((await detailsFor(receiver, gateway)).childCount).toBe(1);
      const { list } = await receiver.ok(deviceCalls.queryDeviceList, { parentId: gateway });
      expect(list.map(({ deviceId }) => deviceId)).toEqual([child]);
    });

    it('is neither the device itself, nor a device that is no gateway', async () => {
      const [own, plain, sent] = [unique('own'), unique('plain'), unique('sent')];
      await deliver([{ id: plain, productId: products.plain }]);
      const [behindPlain, behindSent] = [unique('child'), unique('child')];
      await deliver([
        { id: own, productId: products.gateway, parentId: own },
        { id: behindPlain, productId: products.child, parentId: plain },
        { id: sent, productId: products.child },
        { id: behindSent, productId: products.child, parentId: sent },
      ]);
      for (const deviceId of [own, behindPlain, behindSent])
        expect((await detailsFor(receiver, deviceId)).parentId).toBe('');
    });

    it('is removed when a device of that id is received later and is no gateway', async () => {
      const [plain, behindPlain] = [unique('plain'), unique('child')];
      await deliver([{ id: behindPlain, productId: products.child, parentId: plain }]);
      expect((await detailsFor(receiver, behindPlain)).parentId).toBe(plain);
      await deliver([{ id: plain, productId: products.plain }]);
      expect((await detailsFor(receiver, behindPlain)).parentId).toBe('');
      expect((await detailsFor(receiver, plain)).childCount).toBe(0);
    });

    it.each(['before', 'after'])('reveals neither tenant to the other when that one registers it %s', async (when) => {
      const owner = await hub.create.tenancy();
      const productId = await hub.create.product(owner, { nodeType: 2 });
      const applicationId = await hub.create.application(owner);
      const user = await hub.create.user({ tenancyId: owner, menus: [501] });
      const [gateway, child] = [unique('gw'), unique('child')];
      const register = () => user.ok(deviceCalls.addDevice, { deviceId: gateway, productId, applicationId });
      if (when === 'before') await register();
      await deliver([{ id: child, productId: products.child, parentId: gateway }]);
      if (when === 'after') await register();

      const offline = await detailsFor(receiver, child);
      expect(offline).toMatchObject({ parentId: gateway, parentName: '' });
      await hub.db.updateTable('device').set({ online: 1 }).where('device_id', '=', gateway).execute();
      expect((await detailsFor(receiver, child)).why).toEqual(offline.why);

      for (const caller of [user, hub.admin]) {
        expect((await detailsFor(caller, gateway)).childCount).toBe(0);
        const asked = { parentId: gateway };
        expect((await caller.ok(deviceCalls.queryDeviceList, asked)).list).toEqual([]);
        expect(await caller.ok(deviceCalls.countDevices, asked)).toEqual({ total: 0, online: 0, offline: 0 });
        expect(String((await caller.call(deviceCalls.exportDeviceList, asked)).data)).not.toContain(child);
      }
      await user.ok(deviceCalls.deleteDevices, { deviceIds: [gateway] });
      expect((await detailsFor(receiver, child)).parentId).toBe(gateway);
    });
  });
});
