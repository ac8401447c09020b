import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { apiKeyCalls, SYNC_PROTOCOL, syncCalls, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { type SpawnedHub, unique } from './hub.ts';
import { addOuterZone, createReceiver, expectFailure, expectStatus, pushAll, spawnSyncHub } from './sync-fixtures.ts';
import { innerNode, outerNode, zoneFields } from './zone-fixtures.ts';

/** An allowed address; the other one is not allowed, with a listener behind it. */
const ALLOWED = '127.0.0.1';
const FORBIDDEN = '127.0.0.2';
/** Resolves to the allowed address for the first `times` lookups, and to the forbidden one afterwards. */
const turning = (times: number): string[] => [...Array<string>(times).fill(ALLOWED), FORBIDDEN];
const KEY = `dck_${'k'.repeat(43)}`;

type Subscriber = { port: number; heard: string[]; close: () => Promise<unknown> };

const listen = async (server: Server, heard: string[], at: { host: string; port: number }): Promise<Subscriber> => {
  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve));
  const { port } = server.address() as AddressInfo;
  return { port, heard, close: () => new Promise((resolve) => server.close(resolve)) };
};

/** Records and rejects every connection. */
const startEar = (host: string, port = 0): Promise<Subscriber> => {
  const heard: string[] = [];
  const server = createServer((socket) => {
    heard.push('somebody came');
    socket.on('error', () => undefined).destroy();
  });
  return listen(server, heard, { host, port });
};

/** A fake hub that only answers the key check. */
const startGreeter = async (): Promise<Subscriber> => {
  const heard: string[] = [];
  const server = createHttpServer((request, response) => {
    heard.push(request.method ?? '');
    const data = { protocol: SYNC_PROTOCOL, installationId: 'another', zoneKnown: 1 };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ success: true, data }));
  });
  return listen(server, heard, { host: ALLOWED, port: 0 });
};

/** Free on both addresses, so that a name may lead to either. */
const startBoth = async (start: () => Promise<Subscriber>): Promise<{ allowed: Subscriber; forbidden: Subscriber }> => {
  const allowed = await start();
  return { allowed, forbidden: await startEar(FORBIDDEN, allowed.port) };
};

const TURNING = {
  'at-once.example.com': turning(0),
  'after-greeting.example.com': turning(1),
  'broker-at-once.example.com': turning(0),
  // After a disconnect the hub retries with MQTT 3.1.1: by then the name resolves to the other address.
  'broker-later.example.com': turning(1),
};

let hub: SpawnedHub;
let fixture: ProductFixture;
/** A dependency of the hub, used by the hub only. */
let webhook: Subscriber;
beforeAll(async () => {
  webhook = await startEar(ALLOWED);
  hub = await spawnSyncHub({
    NODE_NETWORKS: `${ALLOWED},::1`,
    SMS_WEBHOOK_URL: `http://${ALLOWED}:${webhook.port}/told`,
    NODE_OPTIONS: `--import=${new URL('./names/rotating-dns.mjs', import.meta.url).href}`,
    TURNING_NAMES: JSON.stringify(TURNING),
  });
  fixture = await createProductFixture(hub);
});
afterAll(async () => {
  await hub?.close();
  await webhook?.close();
});

const addInnerZone = async (node: object): Promise<number> => {
  const fields = zoneFields({ routeKey: unique('r'), syncAll: 1, nodes: JSON.stringify([innerNode(node)]) });
  return (await hub.admin.ok(zoneCalls.addZone, fields as never)).id;
};

/** A manual delivery and a preview: neither reaches a forbidden address. */
const expectRefused = async (zoneId: number, code: string): Promise<void> => {
  await expectStatus(hub, zoneId, fixture.productId, 0);
  await pushAll(hub, zoneId);
  await expectFailure(hub, zoneId, fixture.productId, code);
};

const expectAllRefused = (zoneIds: number[], code: string) =>
  Promise.all(zoneIds.map((zoneId) => expectRefused(zoneId, code)));

const expectNoPreview = async (zoneId: number): Promise<void> => {
  const refusal = await hub.admin.error(syncCalls.previewSync, { zoneId, dataType: 1 });
  expect(refusal).toMatchObject({ code: 'SYNC_TARGET_UNAVAILABLE', statusCode: 503 });
};

/** Failed connections at the hub's own MQTT server: in this test only the hub itself can cause them. */
const turnedAway = async (): Promise<string | undefined> => {
  const figures = await (await fetch(`${hub.url}/metrics`)).text();
  return /^device_connections_refused_total (\d+)$/m.exec(figures)?.[1];
};

const remove = (zoneId: number) => hub.admin.ok(zoneCalls.removeZone, { id: zoneId });

describe('synchronisation never sends', () => {
  it('to the hub itself, however its own port is written', async () => {
    const landing = await createReceiver(hub);
    const { port } = new URL(hub.url);
    const itself = [
      await addOuterZone(hub, { bucketUrl: hub.url, apiKey: landing.key }),
      await addOuterZone(hub, { bucketUrl: `http://localhost:${port}/base`, apiKey: landing.key }),
      await addInnerZone({ hostName: ALLOWED, port: Number(port), serverType: 2, apiKey: landing.key }),
      await addInnerZone({ hostName: '::ffff:127.0.0.1', port: Number(port), serverType: 2, apiKey: landing.key }),
    ];
    await expectAllRefused(itself, 'addressForbidden');
    for (const zoneId of itself) await expectNoPreview(zoneId);
    const { list } = await hub.admin.ok(apiKeyCalls.queryApiKeyList, { pageSize: 200 });
    expect(list.find(({ keyId }) => keyId === landing.keyId)).toMatchObject({ lastUsedTime: null });
    for (const zoneId of itself) await remove(zoneId);
  });

  it("to the hub's own dependencies", async () => {
    const places = [hub.env.SMTP_URL, hub.env.SMS_WEBHOOK_URL, hub.env.DATABASE_URL].filter(Boolean) as string[];
    expect(places.length).toBeGreaterThanOrEqual(2);
    for (const url of places) {
      const { port } = new URL(url);
      const zones = [
        await addOuterZone(hub, { bucketUrl: `http://${ALLOWED}:${port}`, apiKey: KEY }),
        await addInnerZone({ hostName: ALLOWED, port: Number(port) }),
      ];
      await expectAllRefused(zones, 'addressForbidden');
      for (const zoneId of zones) await remove(zoneId);
    }
    expect(webhook.heard).toEqual([]);
  });

  it('to a broker that is the hub’s own listener, or to an invalid address', async () => {
    const before = await turnedAway();
    const zones = [
      await addInnerZone({ hostName: ALLOWED, port: hub.process.mqttPort }),
      await addInnerZone({ hostName: 'mqtt://169.254.169.254', port: 80 }),
      await addInnerZone({ hostName: FORBIDDEN, port: webhook.port }),
    ];
    await expectAllRefused(zones, 'addressForbidden');
    expect(before).toBe('0');
    expect(await turnedAway()).toBe(before);
    for (const zoneId of zones) await remove(zoneId);
  });
});

describe('an address outside the allowed networks', () => {
  const written = ['file:///etc/passwd', 'ftp://127.0.0.1/x', 'gopher://127.0.0.1:70', 'unix:/run/x.sock', '0x7f.1'];

  it.each(written)('%s is rejected in the form', async (address) => {
    const outer = zoneFields({ zoneType: 2, nodes: JSON.stringify([outerNode({ bucketUrl: address })]) });
    expect(await hub.admin.send(zoneCalls.addZone, outer)).toMatchObject({
      code: 'BAD_INPUT',
      details: [{ field: 'nodes[0].bucketUrl' }],
    });
    const inner = zoneFields({ nodes: JSON.stringify([innerNode({ hostName: address })]) });
    expect(await hub.admin.send(zoneCalls.addZone, inner)).toMatchObject({
      code: 'BAD_INPUT',
      details: [{ field: 'nodes[0].hostName' }],
    });
  });

  it.each(written)('%s is not sent to when it is stored', async (address) => {
    const outer = await addOuterZone(hub, { bucketUrl: `http://${ALLOWED}:9`, apiKey: KEY });
    const inner = await addInnerZone({ hostName: ALLOWED, port: 9 });
    const set = (zoneId: number, columns: { bucket_url: string } | { host_name: string }) =>
      hub.db.updateTable('zone_node').set(columns).where('zone_id', '=', zoneId).execute();
    await set(outer, { bucket_url: address });
    await set(inner, { host_name: address });
    await expectAllRefused([outer, inner], 'addressInvalid');
    await expectNoPreview(outer);
    await remove(outer);
    await remove(inner);
  });
});

describe('a host name whose address changes', () => {
  it('is forbidden as soon as it does, without a connection to that address', async () => {
    const { allowed, forbidden } = await startBoth(startGreeter);
    const zoneId = await addOuterZone(hub, { bucketUrl: `http://at-once.example.com:${allowed.port}`, apiKey: KEY });
    await expectRefused(zoneId, 'addressForbidden');
    expect([allowed.heard, forbidden.heard]).toEqual([[], []]);
    await remove(zoneId);
    await Promise.all([allowed.close(), forbidden.close()]);
  });

  it('between the key check and the delivery reaches only the first address', async () => {
    const { allowed, forbidden } = await startBoth(startGreeter);
    const bucketUrl = `http://after-greeting.example.com:${allowed.port}`;
    const zoneId = await addOuterZone(hub, { bucketUrl, apiKey: KEY });
    await expectRefused(zoneId, 'addressForbidden');
    // One lookup: the checked address is the one that is used.
    expect([allowed.heard, forbidden.heard]).toEqual([['GET'], []]);
    await remove(zoneId);
    await Promise.all([allowed.close(), forbidden.close()]);
  });

  it('of a broker is restricted the same', async () => {
    const { allowed, forbidden } = await startBoth(() => startEar(ALLOWED));
    const zones = [
      await addInnerZone({ hostName: 'broker-at-once.example.com', port: allowed.port }),
      await addInnerZone({ hostName: 'broker-later.example.com', port: allowed.port }),
    ];
    await expectAllRefused(zones, 'addressForbidden');
    expect(allowed.heard.length).toBeGreaterThan(0);
    expect(forbidden.heard).toEqual([]);
    for (const zoneId of zones) await remove(zoneId);
    await Promise.all([allowed.close(), forbidden.close()]);
  });
});
