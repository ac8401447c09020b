import { applicationCalls, deviceCalls, type Envelope } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG, publish, publishAll, upRecords, waitForClose } from './connectivity-fixtures.ts';
import { type DatabaseProxy, lockedFile, type Outage, spawnBehindProxy } from './connectivity-outage-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine, postgresServer } from './engine.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { deviceProcess } from './hub-process.ts';
import { waitFor } from './mailbox.ts';
import { connectDevice, loginFields, type RawDevice, tryLogin } from './raw-device.ts';

describeOnEachEngine(() => {
  const AWAY_MS = LONG ? 30_000 : 5_000;
  const QUICKLY_MS = 15_000;
  /** The timeout of an unanswered query: longer than the 15 s after which devices are disconnected. */
  const UNANSWERED_MS = LONG ? 35_000 : 22_000;
  const SILENT_MS = 60_000;
  const onPostgres = Boolean(postgresServer());

  let hub: SpawnedHub;
  let fixture: ProductFixture;
  let databaseProxy: DatabaseProxy | undefined;
  beforeAll(async () => {
    if (onPostgres) databaseProxy = await spawnBehindProxy(LONG ? {} : { query_timeout: String(UNANSWERED_MS) });
    hub = databaseProxy?.hub ?? (await spawnHub());
    fixture = await createProductFixture(hub);
  });
  afterAll(async () => {
    await hub.close();
    await databaseProxy?.close();
  });

  const bright = (serial: number) => ({ type: 2, payload: { properties: { brightness: (serial % 100) + 1 } } });

  const quickly = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const since = Date.now();
    const answer = await call();
    expect(Date.now() - since).toBeLessThan(QUICKLY_MS);
    return answer;
  };

  /** False when the hub disconnected instead. */
  const isTaken = (device: RawDevice, { type, dataId, sessionId, timestamp, payload }: Envelope): Promise<boolean> =>
    publish(device, JSON.stringify(device.seal({ type, dataId, sessionId, timestamp, payload }))).then(
      () => true,
      () => false,
    );

  /**
   * Publishes until all are acknowledged: a disconnected device reconnects and repeats the rest. That may happen more
   * than once: a device that connects before the lease is renewed is disconnected again.
   */
  const untilAll = async (device: RawDevice, envelopes: Envelope[], acknowledged: Set<string>): Promise<RawDevice> => {
    await expect
      .poll(() => acknowledged.size === envelopes.length || !device.client.connected, { timeout: 30_000 })
      .toBe(true);
    let current = device;
    while (acknowledged.size < envelopes.length) {
      current = await waitFor('it comes back', () => connectDevice(hub.url, current).catch(() => undefined));
      for (const envelope of envelopes.filter(({ dataId }) => !acknowledged.has(dataId))) {
        if (!current.client.connected || !(await isTaken(current, envelope))) break;
        acknowledged.add(envelope.dataId);
      }
    }
    return current;
  };

  const expectStoredOnce = async (deviceId: string, envelopes: Envelope[]): Promise<void> => {
    const stored = (await upRecords(hub, deviceId))
      .filter((row) => row.message_type === 2)
      .map((row) => row.message_id);
    expect(stored.sort((one, other) => one - other)).toEqual(envelopes.map(({ dataId }) => Number(dataId)));
  };

  const recordsAway = async (outage: Outage): Promise<void> => {
    const device = await connectNewDevice(hub, fixture);
    await expectOnline(hub, device.deviceId, 1);
    const { deviceId } = device;
    const side = deviceProcess(hub.process);
    const early = Array.from({ length: 10 }, (_, serial) => device.seal(bright(serial)));
    for (const envelope of early) await device.publish(envelope);
    await outage.begin();
    const late = Array.from({ length: 50 }, (_, serial) => device.seal(bright(serial)));
    const acknowledged = publishAll(device, late);
    const over = Date.now() + AWAY_MS;
    const statuses = new Set<number>();
    try {
      while (Date.now() < over) {
        const calls = [
          quickly(() => hub.admin.call(deviceCalls.getDeviceDetails, { deviceId })),
          quickly(() => hub.admin.call(applicationCalls.addApplication, { applicationName: unique('app') })),
          new Promise<{ statusCode: number }>((resolve) => setTimeout(resolve, 500, { statusCode: 200 })),
        ];
        for (const { statusCode } of await Promise.all(calls)) statuses.add(statusCode);
      }
      // A message that cannot be stored is not acknowledged.
      expect(acknowledged.size).toBe(0);
    } finally {
      await outage.end();
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const back = await untilAll(device, late, acknowledged);
    await expectStoredOnce(deviceId, [...early, ...late]);
    expect((await back.ask({ type: 10, payload: { ask: ['time'] } })).code).toBe(200);
    await expectOnline(hub, deviceId, 1);
    // No process crashed.
    expect(deviceProcess(hub.process)).toBe(side);
    await back.end();
    await expectOnline(hub, deviceId, 2);
  };

  if (onPostgres)
    describe('unreachable PostgreSQL', () => {
      it(
        'loses nothing that was acknowledged, answers quickly, and recovers by itself',
        async () => {
          if (databaseProxy) await recordsAway(databaseProxy);
        },
        60_000 + 3 * AWAY_MS,
      );

      /** The database rejects connections while `work` runs, and has closed the existing ones. */
      const whileClosed = async (work: () => Promise<void>): Promise<void> => {
        const name = new URL(hub.env.DATABASE_URL ?? '').pathname.slice(1);
        const { Client } = await import('pg');
        const server = new Client({ connectionString: postgresServer() });
        await server.connect();
        await server.query(`alter database ${name} allow_connections false`);
        await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
        try {
          await work();
        } finally {
          await server.query(`alter database ${name} allow_connections true`);
          await server.end();
        }
      };

      it('counts as unavailable when it accepts no connections, not as an error of the message', async () => {
        const device = await connectNewDevice(hub, fixture);
        const late = Array.from({ length: 20 }, (_, serial) => device.seal(bright(serial)));
        let acknowledged = new Set<string>();
        await whileClosed(async () => {
          acknowledged = publishAll(device, late);
          const answer = await quickly(() => tryLogin(hub.url, loginFields(device)));
          expect(answer.statusCode).toBe(503);
          expect(acknowledged.size).toBe(0);
        });
        const back = await untilAll(device, late, acknowledged);
        await expectStoredOnce(device.deviceId, late);
        expect(back.received.map(({ code }) => code)).toEqual([]);
        await back.end();
      });

      it('accepts a waiting device soon after the database is back', async () => {
        const { productId, productSecret } = fixture;
        const own = { deviceId: unique('lamp'), backoff: { first: 50, max: 500 } };
        const device = createDevice({ hubUrl: hub.url, productId, productSecret, ...own });
        const refusals: string[] = [];
        device.on('refused', ({ refusal }) => refusals.push(refusal.codeName));
        await whileClosed(async () => {
          void device.start();
          await expect.poll(() => refusals.length, { timeout: 20_000 }).toBeGreaterThan(2);
        });
        expect(new Set(refusals)).toEqual(new Set(['AWAY']));
        await expect.poll(() => device.online).toBe(true);
        await device.stop();
      }, 60_000);

      it(
        'is detected when it stalls: devices are disconnected in time, and stalled connections are discarded',
        async () => {
          const earlier = await connectNewDevice(hub, fixture);
          // Longer than the lease: the next device may connect before it is renewed.
          if (LONG) await whileClosed(() => waitForClose(earlier));
          await earlier.end();
          const device = await connectNewDevice(hub, fixture);
          const { deviceId } = device;
          const askTenTimes = () =>
            Promise.all(Array.from({ length: 10 }, () => hub.admin.call(deviceCalls.getDeviceDetails, { deviceId })));
          // Both processes need open connections that can stall.
          await askTenTimes();
          await Promise.all(Array.from({ length: 10 }, () => device.ask({ type: 5, payload: { mac: '00:11:22' } })));
          databaseProxy?.stall();
          const late = Array.from({ length: 20 }, (_, serial) => device.seal(bright(serial)));
          const acknowledged = publishAll(device, late);
          const cut = new Promise((resolve) => device.client.once('close', () => resolve('cut')));
          const answers = askTenTimes();
          // Another hub may have taken over the device meanwhile.
          expect(await Promise.race([cut, answers])).toBe('cut');
          expect((await answers).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(503));
          databaseProxy?.endStall();
          await quickly(() => hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId }));
          const back = await untilAll(device, late, acknowledged);
          await expectStoredOnce(deviceId, late);
          await back.end();
        },
        2 * SILENT_MS,
      );
    });
  else
    describe('a locked SQLite file', () => {
      it(
        'of records: nothing acknowledged is lost, calls are answered, all recovers by itself',
        async () => {
          const outage = lockedFile(hub, 'records.db');
          await recordsAway(outage).finally(outage.close);
        },
        60_000 + 3 * AWAY_MS,
      );

      it('of the hub: devices continue, logins get a retry', async () => {
        const device = await connectNewDevice(hub, fixture);
        const other = await connectNewDevice(hub, fixture);
        const outage = lockedFile(hub, 'hub.db');
        const since = Date.now();
        await outage.begin();
        try {
          const sent = Array.from({ length: 20 }, (_, serial) => device.seal(bright(serial)));
          const acknowledged = publishAll(device, sent);
          await expect.poll(() => acknowledged.size, { timeout: 15_000 }).toBe(20);
          await expectStoredOnce(device.deviceId, sent);
          // It waits for the lock, too: sent early, so that all waits pass at the same time.
          const { dataId } = await other.send({ type: 5, payload: { mac: '00:11:22' } });
          const answer = await quickly(() => tryLogin(hub.url, loginFields(device)));
          expect(answer).toMatchObject({ statusCode: 503, code: 'AWAY' });
          // Each write waits three seconds for the lock: one after the other they would take half a minute.
          const addApplication = () =>
            hub.admin.call(applicationCalls.addApplication, { applicationName: unique('app') });
          const writes = quickly(() => Promise.all(Array.from({ length: 10 }, addApplication)));
          const { deviceId } = device;
          const read = hub.admin.call(deviceCalls.getDeviceDetails, { deviceId });
          // A read does not queue behind writes that wait.
          expect(await Promise.race([read, writes])).toMatchObject({ statusCode: 200 });
          expect((await writes).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(503));
          const refused = await other.next((answer) => answer.dataFlow === 1 && answer.dataId === dataId, 30_000);
          expect(refused.code).toBe(50301);
          // Longer than the hub's lease; there is no other hub to take over its devices.
          if (LONG) await expect.poll(() => Date.now() - since, { timeout: 30_000 }).toBeGreaterThan(20_000);
          expect(device.client.connected).toBe(true);
          await other.end();
        } finally {
          await outage.end();
          await outage.close();
        }
        await expectOnline(hub, other.deviceId, 2);
        await expectOnline(hub, device.deviceId, 1);
        await device.end();
      });
    });
});
