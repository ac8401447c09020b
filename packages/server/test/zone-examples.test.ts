import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestBroker } from './broker-fixtures.ts';
import { connectRows, expectLatestEvent } from './connectivity-fixtures.ts';
import { expectOnline, type ProductFixture } from './device-fixtures.ts';
import { killAll, type Program, runDevice, running, WAITING } from './example-fixtures.ts';
import type { Hub } from './hub.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { expectNode, startBrokerFixture } from './zone-flow-fixtures.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url));
const compiled = join(temporaryFolder('zone-examples-'), 'device');

let hub: Hub;
let shop: ProductFixture;
let broker: TestBroker;
let zoneId: number;
beforeAll(async () => {
  ({ hub, broker, shop, zoneId } = await startBrokerFixture());
  execFileSync('cc', ['-std=c11', '-O2', '-o', compiled, example('device.c')], { stdio: 'pipe' });
});
afterAll(async () => {
  for (const child of running) killAll(child);
  await hub.close();
  await broker.dispose();
});

const waitedTimes = (program: Program, times: number) =>
  expect.poll(() => program.output().split(WAITING).length - 1, { timeout: 40_000, interval: 100 }).toBe(times);

it.each([
  ["Mosquitto's clients", ['/bin/bash', example('device.sh')]],
  ['Eclipse paho', ['/usr/bin/python3', example('device.py')]],
  ['C', [compiled]],
])('reconnects a device of %s after a kick, and takes it offline by its will', async (_name, command) => {
  await expectNode(hub.admin, zoneId, 'connected');
  const { productId, applicationId } = shop;
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: zoneId });
  const program = runDevice(hub, shop, command, { DEVICE_ID: deviceId });
  await waitedTimes(program, 1);
  await expectOnline(hub, deviceId, 1);
  await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1 });
  await waitedTimes(program, 2);
  expect(program.output().match(/^logged in, session /gm)).toHaveLength(2);
  await expectOnline(hub, deviceId, 1);
  expect((await connectRows(hub, deviceId)).map(({ reason }) => reason)).toEqual(['', 'kicked', '']);
  killAll(program.child);
  await program.exited;
  await expectLatestEvent(hub, deviceId, 2, 'lost');
});
