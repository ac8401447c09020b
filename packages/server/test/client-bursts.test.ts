import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRows, upRecords } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { connectClient, getBucket, type RawDevice } from './raw-device.ts';

const COUNT = 1_000;
// Debian's own Python: that is the one which has Debian's paho.
const SCRIPT = fileURLToPath(new URL('bursts/burst.mjs', import.meta.url));
const PYTHON = ['/usr/bin/python3', fileURLToPath(new URL('bursts/burst.py', import.meta.url))];

let hub: Hub;
let fixture: ProductFixture;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-bursts-'));
  hub = await sharedHub();
  fixture = await createProductFixture(hub);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A device whose own connection is closed, and the messages of one burst, signed. */
const prepareBurst = async (): Promise<{ device: RawDevice; lines: string[] }> => {
  const device = await connectNewDevice(hub, fixture);
  await device.end();
  const lines = Array.from({ length: COUNT }, () => JSON.stringify(device.seal({ type: 7, payload: 'QQ==' })));
  return { device, lines };
};

const run = (command: string[], input = ''): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    const [file = '', ...args] = command;
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: 90_000 });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => (output += bytes));
    child.stderr.on('data', (bytes: Buffer) => (output += bytes));
    child.on('close', (code) => resolve({ code, output }));
    child.stdin.end(input);
  });

/** Every message is stored once, and no client was disconnected. */
const expectStored = async ({ deviceId }: RawDevice, lines: string[]): Promise<void> => {
  const stored = (await upRecords(hub, deviceId)).map((row) => String(row.message_id));
  expect(stored.sort()).toEqual(lines.map((line) => (JSON.parse(line) as { dataId: string }).dataId).sort());
  const reasons = (await connectRows(hub, deviceId)).map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason !== '' && reason !== 'byDevice')).toEqual([]);
};

describe(`a burst of ${COUNT} messages with default settings`, () => {
  it.each(['3.1.1', '5'])(
    'is acknowledged without a disconnect: Eclipse paho (Python) over MQTT %s',
    async (version) => {
      const { device, lines } = await prepareBurst();
      const file = join(folder, device.deviceId);
      writeFileSync(file, lines.join('\n'));
      const { host, port, password, topics } = device.bucket;
      const args = [file, version, host, String(port), device.deviceId, password, topics.up];
      const { output } = await run([...PYTHON, ...args]);
      expect(JSON.parse(output)).toEqual({ acknowledged: COUNT, disconnects: [] });
      await expectStored(device, lines);
    },
  );

  it('is acknowledged without a disconnect: Eclipse paho (JavaScript) over WebSocket', async () => {
    const { device, lines } = await prepareBurst();
    const file = join(folder, device.deviceId);
    writeFileSync(file, lines.join('\n'));
    const bucket = await getBucket(hub.url, device.answer.token, 'ws');
    const url = `${bucket.protocol}://${bucket.host}:${bucket.port}${bucket.path}`;
    const args = [SCRIPT, file, url, device.deviceId, bucket.password, bucket.topics.up];
    const { output } = await run([process.execPath, ...args]);
    expect(JSON.parse(output)).toEqual({ acknowledged: COUNT, disconnects: [] });
    await expectStored(device, lines);
  });

  it.each(['mqttv311', 'mqttv5'])('is acknowledged without a disconnect: mosquitto_pub over %s', async (version) => {
    const { device, lines } = await prepareBurst();
    const { host, port, password, topics } = device.bucket;
    const where = ['-h', host, '-p', String(port), '-V', version, '-t', topics.up, '-q', '1', '-l'];
    const who = ['-i', device.deviceId, '-u', device.deviceId, '-P', password];
    const { code, output } = await run(['mosquitto_pub', ...where, ...who], `${lines.join('\n')}\n`);
    expect([code, output]).toEqual([0, '']);
    await expectStored(device, lines);
  });

  it.each([
    [4, 'tcp'],
    [5, 'tcp'],
    [5, 'ws'],
  ] as const)(
    'is acknowledged without a disconnect: mqtt.js over protocol level %i on %s',
    async (protocolVersion, transport) => {
      const { device, lines } = await prepareBurst();
      const bucket = await getBucket(hub.url, device.answer.token, transport);
      const client = await connectClient(bucket, { protocolVersion });
      let closed = 0;
      client.on('close', () => closed++);
      await Promise.all(lines.map((line) => client.publishAsync(bucket.topics.up, line, { qos: 1 })));
      expect(closed).toBe(0);
      await client.endAsync();
      await expectStored(device, lines);
    },
  );
});
