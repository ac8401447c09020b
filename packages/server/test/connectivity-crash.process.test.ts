import { deviceCalls, type Envelope } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireLeases } from './claims-fixtures.ts';
import { expectLatestEvent, LONG, upRecords } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine, describeOnOneEngine } from './engine.ts';
import { type SpawnedHub, spawnHub } from './hub.ts';
import { deviceProcess } from './hub-process.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';

describeOnOneEngine('postgres', () => {
  const KILLS = LONG ? 20 : 1;
  const DEVICES = 5;
  /** Under way at once and device: the hub's window of 64, and some that wait behind it. */
  const AT_ONCE = 72;
  const BURST = LONG ? 300 : 100;

  let hub: SpawnedHub;
  let fixture: ProductFixture;
  beforeAll(async () => {
    hub = await spawnHub();
    fixture = await createProductFixture(hub);
  });
  afterAll(() => hub.close());

  /** The messages of a device over all its connections, by number, with their acknowledgement. */
  type Ledger = { device: RawDevice; sent: Map<number, Envelope>; acknowledged: Set<number>; serial: number };

  const numbered = ({ device, serial }: Ledger): Envelope =>
    device.seal({
      type: 2,
      dataId: String(serial),
      payload: { properties: { brightness: (serial % 100) + 1 } },
    });

  const sendNext = async (sentMessages: Ledger): Promise<void> => {
    sentMessages.serial++;
    const { serial, device } = sentMessages;
    const envelope = numbered(sentMessages);
    sentMessages.sent.set(serial, envelope);
    await device.publish(envelope);
    sentMessages.acknowledged.add(serial);
  };

  /** Keeps messages under way until `over`; whatever is then not acknowledged stays so. */
  const generate = async (sentMessages: Ledger, over: () => boolean, acknowledged: () => void): Promise<void> => {
    const gone = new Promise<void>((resolve) => sentMessages.device.client.once('close', () => resolve()));
    const work = async (): Promise<void> => {
      while (!over()) await Promise.race([gone, sendNext(sentMessages).then(acknowledged, () => undefined)]);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // More at once than the hub can handle before the kill.
    for (let count = 0; count < BURST; count++) void sendNext(sentMessages).catch(() => undefined);
    await gone;
  };

  /** Sends again whatever was not acknowledged, with its number and session of the first time. */
  const sendAgain = async (sentMessages: Ledger): Promise<void> => {
    for (const [serial, { dataId, sessionId, timestamp, payload }] of sentMessages.sent) {
      if (sentMessages.acknowledged.has(serial)) continue;
      await sentMessages.device.publish(sentMessages.device.seal({ type: 2, dataId, sessionId, timestamp, payload }));
      sentMessages.acknowledged.add(serial);
    }
  };

  /** A device may log in ten times a minute, and the hub is killed more often than that. */
  const returnTo = async (device: RawDevice): Promise<RawDevice> => {
    let back = device;
    const tried = async () => {
      back = await connectDevice(hub.url, device);
      return back.client.connected;
    };
    const refused = (error: Error) => error.message;
    await expect.poll(() => tried().catch(refused), { timeout: 70_000, interval: 1_000 }).toBe(true);
    return back;
  };

  describe('kill -9 of the hub under load', () => {
    it(
      `loses no acknowledged message and stores none twice (${KILLS} times)`,
      async () => {
        const ledgers: Ledger[] = [];
        for (let index = 0; index < DEVICES; index++)
          ledgers.push({
            device: await connectNewDevice(hub, fixture),
            sent: new Map(),
            acknowledged: new Set(),
            serial: 0,
          });
        for (let round = 0; round < KILLS; round++) {
          const enough = 200 + ((round * 370) % 1_500);
          let count = 0;
          let over = false;
          let killed: Promise<void> | undefined;
          const oneMore = (): void => {
            if (++count < enough || over) return;
            over = true;
            // During the following burst, before the hub has read all of it.
            setTimeout(() => {
              killed = hub.process.kill();
            }, round % 10);
          };
          await Promise.all(ledgers.map((sentMessages) => generate(sentMessages, () => over, oneMore)));
          await killed;
          const open = ledgers.reduce((sum, { sent, acknowledged }) => sum + sent.size - acknowledged.size, 0);
          // Some messages were not acknowledged; otherwise the kill was too late for this test.
          expect(open).toBeGreaterThan(0);
          for (const { device, acknowledged } of ledgers) {
            const stored = (await upRecords(hub, device.deviceId)).map((row) => row.message_id);
            expect(new Set(stored).size).toBe(stored.length);
            expect([...acknowledged].filter((serial) => !stored.includes(serial))).toEqual([]);
          }
          hub = await hub.start();
          for (const sentMessages of ledgers) sentMessages.device = await returnTo(sentMessages.device);
          await Promise.all(ledgers.map(sendAgain));
        }
        for (const { device, serial } of ledgers) {
          const stored = (await upRecords(hub, device.deviceId)).map((row) => row.message_id);
          expect(stored.sort((one, other) => one - other)).toEqual(
            Array.from({ length: serial }, (_, index) => index + 1),
          );
          const { length } = await hub.records
            .selectFrom('property_sample')
            .select('record_id')
            .where('device_id', '=', device.deviceId)
            .execute();
          expect(length).toBe(serial);
          expect(device.received).toEqual([]);
          await device.end();
        }
      },
      60_000 + KILLS * 20_000,
    );
  });
});

describeOnEachEngine(() => {
  describe('presence', () => {
    let hub: SpawnedHub;
    let fixture: ProductFixture;
    beforeAll(async () => {
      hub = await spawnHub();
      fixture = await createProductFixture(hub);
    });
    afterAll(() => hub.close());

    // Spec 4.15
    it('is correct after a kill: offline with the reason, then online again', async () => {
      const [one, other] = [await connectNewDevice(hub, fixture), await connectNewDevice(hub, fixture)];
      await expectOnline(hub, one.deviceId, 1);
      await expectOnline(hub, other.deviceId, 1);
      await hub.process.kill();
      await expireLeases(hub);
      hub = await hub.start();
      if (!hub.env.DATABASE_URL) {
        // No other hub can hold a connection: all devices are offline at once.
        const { online } = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: other.deviceId });
        expect(online).toBe(2);
      }
      // With PostgreSQL another hub might be there: the lease of the dead one runs out first. The live one is left alone.
      const back = await connectDevice(hub.url, one);
      await expectOnline(hub, other.deviceId, 2);
      await expectLatestEvent(hub, other.deviceId, 2, 'hubStopped');
      await expectOnline(hub, one.deviceId, 1);
      expect(back.client.connected).toBe(true);
      await back.end();
      await expectOnline(hub, one.deviceId, 2);
    });

    it('is corrected by the supervisor after only the device process died', async () => {
      const device = await connectNewDevice(hub, fixture);
      await expectOnline(hub, device.deviceId, 1);
      const gone = new Promise<void>((resolve) => device.client.once('close', () => resolve()));
      const before = deviceProcess(hub.process);
      process.kill(before, 'SIGKILL');
      await gone;
      await expect
        .poll(
          () =>
            connectDevice(hub.url, device).then(
              (back) => back.end().then(() => true),
              () => false,
            ),
          { timeout: 30_000, interval: 1_000 },
        )
        .toBe(true);
      expect(deviceProcess(hub.process)).not.toBe(before);
      await expectOnline(hub, device.deviceId, 2);
    });

    it('is offline after an orderly stop, each with its record', async () => {
      const device = await connectNewDevice(hub, fixture);
      await expectOnline(hub, device.deviceId, 1);
      expect(await hub.process.stop()).toBe(0);
      const rows = await hub.records
        .selectFrom('connect_record')
        .select(['status', 'reason'])
        .where('device_id', '=', device.deviceId)
        .orderBy('record_id', 'desc')
        .execute();
      expect(rows.map(({ status, reason }) => [status, reason])).toEqual([
        [2, 'hubStopped'],
        [1, ''],
      ]);
    });
  });
});
