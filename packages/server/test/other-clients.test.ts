import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './broker-fixtures.ts';
import { LONG } from './connectivity-fixtures.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { commandWhenOnline, expectCommandsExecuted, killAll, runDevice, running, WAITING } from './example-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../../docs/examples/${name}`, import.meta.url));

/** Devices made by the protocol's page, of other people's programs and of none: see docs/examples. */
const SHELL = ['/bin/bash', example('device.sh')];
// Debian's own Python: that is the one which has Debian's paho.
const PYTHON = ['/usr/bin/python3', example('device.py')];

let hub: Hub;
let created: ProductFixture;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'other-clients-'));
  hub = await startHub();
  created = await createProductFixture(hub);
});
afterAll(async () => {
  for (const child of running) killAll(child);
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a device of bash, curl, openssl and Mosquitto's clients", () => {
  it('signs with md5', async () => {
    await expectCommandsExecuted(hub, runDevice(hub, created, SHELL, { SIGN_METHOD: 'md5' }));
  });

  it('reconnects with its own secret when the product secret is disabled, and executes a service', async () => {
    const SECRET_FILE = join(folder, unique('secret'));
    const first = runDevice(hub, created, SHELL, { SECRET_FILE, SIGN_METHOD: 'hmacsha256' });
    await expectCommandsExecuted(hub, first);
    const DEVICE_ID = first.deviceId;
    const again = runDevice(hub, created, SHELL, { SECRET_FILE, DEVICE_ID });
    await again.says(WAITING);
    const answer = await commandWhenOnline(hub, DEVICE_ID, 'restart', '{"type":1}');
    expect(answer).toMatchObject({ status: 'answered', code: 200, output: {} });
    expect(await again.exited, again.output()).toBe(0);
    const foreign = runDevice(hub, created, SHELL, { DEVICE_ID });
    expect(await foreign.exited).toBe(1);
    expect(foreign.output()).toContain('"code":"SIGNATURE"');
  });
});

describe('a device on Eclipse paho', () => {
  it.each([
    ['MQTT 3.1.1', 'md5', []],
    ['MQTT 5', 'hmacsha256', ['--mqtt5']],
    ...(LONG ? ([['MQTT 3.1.1', 'hmacsha256', []]] as [string, string, string[]][]) : []),
  ])('connects over %s, signs with %s and refreshes its token', async (_version, SIGN_METHOD, more) => {
    const program = runDevice(hub, created, [...PYTHON, '--once', ...more], { SIGN_METHOD });
    await expectCommandsExecuted(hub, program);
    expect(program.output()).toMatch(/^token refreshed, good for \d+ s$/m);
    const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId: program.deviceId, type: 9 });
    expect(list.map(({ code, dataFlow }) => [dataFlow, code]).sort()).toEqual([
      [1, 200],
      [2, 200],
    ]);
  });

  it('rejects unsupported commands, and survives a lost connection', async () => {
    const program = runDevice(hub, created, PYTHON);
    const { deviceId } = program;
    await program.says(WAITING);
    const refused = await commandWhenOnline(hub, deviceId, 'fadeTo', '{"brightness":20,"seconds":1}');
    expect(refused).toMatchObject({ status: 'failed', code: 60003 });
    await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1 });
    await expect.poll(() => program.output().split(WAITING).length, { timeout: 40_000, interval: 100 }).toBe(3);
    expect(await commandWhenOnline(hub, deviceId, 'power', 'false')).toMatchObject({ status: 'answered' });
    killAll(program.child);
    await program.exited;
  });
});

describe('a device in C on plain sockets', () => {
  const program = (): string => join(folder, 'device');
  beforeAll(() => {
    const strict = ['-std=c11', '-O2', '-Wall', '-Wextra', '-Werror', '-pedantic'];
    execFileSync('cc', [...strict, '-o', program(), example('device.c')], { stdio: 'pipe' });
  });

  it('refreshes its token and stores its secret', async () => {
    const SECRET_FILE = join(folder, unique('secret'));
    const first = runDevice(hub, created, [program(), '--once'], { SECRET_FILE });
    await expectCommandsExecuted(hub, first);
    expect(first.output()).toMatch(/^token refreshed, good for \d+ s$/m);
    const DEVICE_ID = first.deviceId;
    await expectCommandsExecuted(hub, runDevice(hub, created, [program(), '--once'], { SECRET_FILE, DEVICE_ID }));
    const foreign = runDevice(hub, created, [program(), '--once'], { DEVICE_ID });
    expect(await foreign.exited).toBe(1);
    expect(foreign.output()).toContain('log-in refused: SIGNATURE');
  });

  it('rejects unsupported commands, and survives a lost connection', async () => {
    const device = runDevice(hub, created, [program()]);
    const { deviceId } = device;
    await device.says(WAITING);
    const refused = await commandWhenOnline(hub, deviceId, 'fadeTo', '{"brightness":20,"seconds":1}');
    expect(refused).toMatchObject({ status: 'failed', code: 60003 });
    const read = await hub.admin.ok(controlCalls.commandDeviceFunction, { deviceId, functionId: 'power', read: 1 });
    expect(read).toMatchObject({ status: 'answered', output: { power: true } });
    await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1 });
    await expect.poll(() => device.output().split(WAITING).length, { timeout: 40_000, interval: 100 }).toBe(3);
    expect(await commandWhenOnline(hub, deviceId, 'power', 'false')).toMatchObject({ status: 'answered' });
    killAll(device.child);
    await device.exited;
  });

  it('gives up on a hub that does not answer, and rejects invalid commands', async () => {
    const away = runDevice(hub, created, [program(), '--once'], { HUB_URL: `http://127.0.0.1:${await freePort()}` });
    expect(await away.exited).toBe(1);
    const wrong = runDevice(hub, created, [program(), '--once'], { HUB_URL: 'somewhere' });
    expect(await wrong.exited).toBe(2);
  });
});

describe('a device on the SDK in Node', () => {
  const NODE = [process.execPath, example('device.mjs')];

  it('signs with md5', async () => {
    await expectCommandsExecuted(hub, runDevice(hub, created, [...NODE, '--once'], { SIGN_METHOD: 'md5' }));
  });

  it('reconnects with its own secret, and executes a service', async () => {
    const SECRET_FILE = join(folder, unique('secret'));
    const first = runDevice(hub, created, [...NODE, '--once'], { SECRET_FILE, SIGN_METHOD: 'hmacsha256' });
    await expectCommandsExecuted(hub, first);
    const again = runDevice(hub, created, [...NODE, '--once'], { SECRET_FILE, DEVICE_ID: first.deviceId });
    await again.says(WAITING);
    const answer = await commandWhenOnline(hub, again.deviceId, 'fadeTo', '{"brightness":20,"seconds":1}');
    expect(answer).toMatchObject({ status: 'answered', code: 200 });
    expect(await again.exited, again.output()).toBe(0);
  });
});

/** Signed by itself, for the address that the tests use. */
const makeCertificate = (): { TLS_CERT: string; TLS_KEY: string } => {
  const [TLS_CERT, TLS_KEY] = [join(folder, 'hub.crt'), join(folder, 'hub.key')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', TLS_KEY];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', TLS_CERT, ...subject], { stdio: 'ignore' });
  return { TLS_CERT, TLS_KEY };
};

describe('devices over TLS', () => {
  let secure: Hub;
  let product: ProductFixture;
  let certificate: ReturnType<typeof makeCertificate>;
  beforeAll(async () => {
    certificate = makeCertificate();
    const port = await freePort();
    secure = await startHub({
      ...certificate,
      MQTTS_PORT: String(port),
      // The address that devices get; by default it is the listener without TLS.
      MQTT_PUBLIC_URL: `mqtts://127.0.0.1:${port}`,
    });
    product = await createProductFixture(secure);
  });
  afterAll(() => secure.close());

  it.each([
    ["Mosquitto's clients", SHELL],
    ['Eclipse paho', [...PYTHON, '--once', '--mqtt5']],
  ])('connect: %s', async (_name, command) => {
    const program = runDevice(secure, product, command, { CA_FILE: certificate.TLS_CERT });
    await expectCommandsExecuted(secure, program);
    const { transport } = await secure.admin.ok(deviceCalls.getDeviceDetails, { deviceId: program.deviceId });
    expect(transport).toBe('tls');
  });

  it('reject an unknown certificate', async () => {
    const program = runDevice(secure, product, [...PYTHON, '--once']);
    expect(await program.exited).toBe(1);
    expect(program.output()).toMatch(/certificate verify failed/i);
  });
});

it('lists all examples', () => {
  for (const file of [SHELL[1] ?? '', PYTHON[1] ?? '']) {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env (bash|python3)\n/);
  }
});
