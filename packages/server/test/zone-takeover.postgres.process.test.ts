import { rmSync } from 'node:fs';
import { controlCalls } from '@device-center/contract';
import type { Device } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, type TestBroker } from './broker-fixtures.ts';
import { expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import type { SpawnedHub } from './hub.ts';
import { deviceProcess } from './hub-process.ts';
import { preparedForHubs, startSecondHub } from './hubs-fixtures.ts';
import { spawnBrokerFixture, zoneDetail, zoneDevice } from './zone-flow-fixtures.ts';

describeOnPostgres(() => {
  let hub: SpawnedHub;
  let broker: TestBroker;
  let shop: ProductFixture;
  let zoneId: number;
  let device: Device;
  beforeAll(async () => {
    const { environment, SECRET_KEY } = await preparedForHubs();
    const env = { SECRET_KEY, MQTT_PORT: String(await freePort()) };
    ({ hub, broker, shop, zoneId } = await spawnBrokerFixture(env, environment));
    device = await zoneDevice(hub, shop, zoneId);
    device.onSet((properties) => properties);
    await device.start();
  });
  afterAll(async () => {
    await device.stop();
    await hub.close();
    await broker.dispose();
  });

  /** Shorter than the remaining lease: an answer that waits for its expiry is too late. */
  const TIMEOUT_MS = 5_000;
  const COMMANDS = 12;

  /** The status "subscribed" of the killed process may remain for a moment. */
  const heardAnew = (since: number) =>
    expect
      .poll(
        async () => {
          const node = (await zoneDetail(hub.admin, zoneId)).nodes[0];
          return node?.state === 'connected' && Date.parse(node.since ?? '') > since;
        },
        { timeout: 30_000, interval: 100 },
      )
      .toBe(true);

  /** One after the other, since a shared subscription distributes messages among the subscribers. */
  const commandAll = async (): Promise<string[]> => {
    const { deviceId } = device;
    const seen: string[] = [];
    for (let brightness = 1; brightness <= COMMANDS; brightness++) {
      const sent = { deviceId, functionId: 'brightness', functionValue: String(brightness), timeout: TIMEOUT_MS };
      seen.push((await hub.admin.ok(controlCalls.commandDeviceFunction, sent)).status);
    }
    return seen;
  };
  const allAnswered = Array.from({ length: COMMANDS }, () => 'answered');

  it('subscribes a restarted device process at once after a kill on the same port', async () => {
    await expectOnline(hub, device.deviceId, 1);
    const killedAt = Date.now();
    process.kill(deviceProcess(hub.process), 'SIGKILL');
    await heardAnew(killedAt);
    expect(await commandAll()).toEqual(allAnswered);
  });

  it('subscribes a killed and restarted hub at once', async () => {
    const killedAt = Date.now();
    await hub.process.kill();
    hub = await hub.start();
    await heardAnew(killedAt);
    expect(await commandAll()).toEqual(allAnswered);
  });

  it('waits for the lease of a hub with the same port at another address', async () => {
    const listening = () => hub.db.selectFrom('hub_instance').select('hub_no').where('listens_at', '!=', '').execute();
    const [own] = await listening();
    const fellow = await startSecondHub(hub, { PROCESSES: 'device', HOST: '127.0.0.2' });
    expect(fellow.process.mqttPort).toBe(hub.process.mqttPort);
    const both = await listening();
    expect(both).toHaveLength(2);
    expect(both).toContainEqual(own);
    await fellow.process.stop();
    rmSync(fellow.DATA_DIR, { recursive: true });
    expect(await listening()).toEqual([own]);
  });
});
