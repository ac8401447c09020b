import { apiKeyCalls, deviceCalls, type SyncItem, syncDeliveryCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { describeOnEachEngine } from './engine.ts';
import { property } from './functions.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { createReceiver, deviceOf, productOf, valuesOf } from './sync-fixtures.ts';

const OTHER_HUB = 'another-hub';

const modelContent = (productName: string, more: object = {}) => ({
  ...{ productName, description: '', categoryName: unique('meters'), nodeType: 1, protocolId: 1, classId: 1 },
  ...{ allowMd5: 1, modelVersion: 1, functions: [property('power')] },
  ...more,
});

const model = (id: string, content: object, revision = 1): SyncItem => ({
  ...{ kind: 'model', id, origin: OTHER_HUB, revision },
  content,
});

describeOnEachEngine(() => {
  let hub: Hub;
  let landing: Awaited<ReturnType<typeof createReceiver>>;
  beforeAll(async () => {
    hub = await sharedHub();
    landing = await createReceiver(hub);
  });

  const deliver = async (items: SyncItem[], { key = landing.key, preview = 0 as 0 | 1 } = {}) => {
    const sent = { preview, sender: OTHER_HUB, items };
    const { results } = await createClient(hub.url, key).ok(syncDeliveryCalls.deliverSync, sent, { as: 'json' });
    return results.map(({ result, code }) => (code === '' ? result : code));
  };

  const received = async (): Promise<string> => {
    const id = unique('sent');
    expect(await deliver([model(id, modelContent(unique('lamp')))])).toEqual(['created']);
    return id;
  };

  describe('names of received products', () => {
    it('are swapped within a delivery, in any order', async () => {
      const [one, two, three] = [await received(), await received(), await received()];
      const nameOf = async (productId: string) => (await productOf(hub, productId)).productName;
      const [first, second, third] = [await nameOf(one), await nameOf(two), await nameOf(three)];
      const items = [
        model(one, modelContent(second), 2),
        model(two, modelContent(third), 2),
        model(three, modelContent(first), 2),
      ];
      expect(await deliver(items.slice(0, 2))).toEqual(['productNameTaken', 'productNameTaken']);
      expect(await deliver(items, { preview: 1 })).toEqual(['changed', 'changed', 'changed']);
      expect([await nameOf(one), await nameOf(two), await nameOf(three)]).toEqual([first, second, third]);
      expect(await deliver(items)).toEqual(['changed', 'changed', 'changed']);
      expect([await nameOf(one), await nameOf(two), await nameOf(three)]).toEqual([second, third, first]);
    });
  });

  describe('the category of a received product', () => {
    it('is the standard one by either of its names', async () => {
      const categories = new Set<string>();
      for (const categoryName of ['照明灯具', 'Lighting']) {
        const id = unique('sent');
        expect(await deliver([model(id, modelContent(unique('lamp'), { categoryName }))])).toEqual(['created']);
        const { categoryId, categoryStandard } = await productOf(hub, id);
        expect(categoryStandard).toBe(1);
        categories.add(categoryId);
      }
      expect(categories.size).toBe(1);
    });
  });

  describe('a received product', () => {
    it('accepts local devices that an operator adds', async () => {
      const productId = await received();
      const deviceId = unique('own');
      const { applicationId } = landing;
      await hub.admin.ok(deviceCalls.addDevice, { productId, applicationId, deviceId });
      expect(await deviceOf(hub, deviceId)).toMatchObject({ productId, received: 0 });
    });
  });

  describe('values of a received device', () => {
    it('are validated by the model; valid ones are stored', async () => {
      const productId = await received();
      const id = unique('sent');
      const power = { signCode: 'power', time: 5, value: 42 };
      const device = (values: object[]): SyncItem => ({
        ...{ kind: 'device', id, origin: OTHER_HUB, revision: 7 },
        content: { productId, deviceName: 'renamed', mac: '', versionNumber: '', parentId: '', values },
      });
      const wrong = [
        { ...power, value: 'on' },
        { ...power, signCode: 'unknown' },
        { ...power, time: Date.now() + 86_400_000 },
      ];
      for (const value of wrong) {
        expect(await deliver([device([value])], { preview: 1 })).toEqual(['invalid']);
        expect(await deliver([device([value])])).toEqual(['invalid']);
        expect(await valuesOf(hub, id)).toEqual({});
        expect((await deviceOf(hub, id)).deviceName).toBe('renamed');
      }
      const sent = { sender: OTHER_HUB, items: [device([{ ...power, signCode: 'unknown' }, power])] };
      const client = createClient(hub.url, landing.key);
      const { results } = await client.ok(syncDeliveryCalls.deliverSync, sent, { as: 'json' });
      expect(results[0]?.message).toBe('Invalid content: values.unknown The function model has no such entry');
      expect(await valuesOf(hub, id)).toEqual({ power: 42 });
      // Omitted items can be delivered later.
      expect(await deliver([device([power])])).toEqual(['changed']);
      expect(await deliver([device([power])])).toEqual(['same']);
    });
  });

  describe('an item that was received with one key', () => {
    it('cannot be changed with another key of the tenant before that one is revoked', async () => {
      const id = unique('sent');
      const first = await makeKey();
      const content = modelContent(unique('lamp'));
      expect(await deliver([model(id, content)], first)).toEqual(['created']);
      const stolen = { ...content, productName: unique('stolen') };
      expect(await deliver([model(id, stolen, 9)])).toEqual(['otherKey']);
      expect((await productOf(hub, id)).productName).toBe(content.productName);
      expect(await deliver([model(id, content)])).toEqual(['same']);
      expect(await deliver([model(id, content, 2)], first)).toEqual(['changed']);
      await hub.admin.ok(apiKeyCalls.revokeApiKey, { keyId: first.keyId });
      expect(await deliver([model(id, stolen, 9)])).toEqual(['changed']);
      expect((await productOf(hub, id)).productName).toBe(stolen.productName);
    });

    const makeKey = () =>
      hub.admin.ok(apiKeyCalls.addApiKey, {
        ...{ keyName: unique('key'), scope: 'sync', applicationId: landing.applicationId },
        tenancyId: landing.tenancyId,
      });
  });
});
