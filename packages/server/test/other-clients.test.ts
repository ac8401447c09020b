import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './broker-kit.ts';
import { type Workshop, workshop } from './device-kit.ts';
import { type Hub, startHub, unique } from './hub.ts';

/** Devices of other people's programs, made by the protocol's page: Mosquitto's clients and Eclipse paho. */
const SHELL = ['/bin/bash', fileURLToPath(new URL('../../../docs/examples/device.sh', import.meta.url))];
// Debian's own Python: that is the one which has Debian's paho.
const PYTHON = ['/usr/bin/python3', fileURLToPath(new URL('../../../docs/examples/device.py', import.meta.url))];

const WAITING = 'waiting for a command';

type Program = {
  deviceId: string;
  child: ChildProcess;
  output: () => string;
  /** Resolves when the line was printed; rejects with all that was said when the program ends without it. */
  says: (line: string) => Promise<void>;
  exited: Promise<number | null>;
};

const running = new Set<ChildProcess>();
const killAll = ({ pid }: ChildProcess): void => {
  if (pid) process.kill(-pid, 'SIGKILL');
};

const runDevice = (
  hub: Hub,
  { productId, productSecret }: Workshop,
  [command = '', ...args]: string[],
  env: Record<string, string> = {},
): Program => {
  const deviceId = env.DEVICE_ID ?? unique('other');
  const who = { HUB_URL: hub.url, PRODUCT_ID: productId, DEVICE_ID: deviceId, SECRET: productSecret };
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1', ...who, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what the script started goes with it.
    detached: true,
  });
  running.add(child);
  let output = '';
  const looks = new Set<() => void>();
  const take = (bytes: Buffer): void => {
    output += bytes.toString();
    for (const look of looks) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  const says = (line: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (output.split('\n').includes(line)) resolve();
      };
      looks.add(look);
      look();
      void exited.then((code) => reject(new Error(`it ended with ${code}, having said:\n${output}`)));
    });
  return { deviceId, child, output: () => output, says, exited };
};

/** That it is there is written a moment after it connected. */
const onceOnline = async (hub: Hub, deviceId: string, functionId: string, functionValue: string) => {
  const command = { deviceId, functionId, functionValue, timeout: 30_000 };
  for (;;) {
    const answer = await hub.admin.call(controlCalls.commandDeviceFunction, command);
    if (answer.success) return answer.data;
    if (answer.code !== 'DEVICE_OFFLINE') throw new Error(answer.code);
  }
};

/** Commands the device while it waits, and sees that everything it did has arrived. */
const expectObedient = async (hub: Hub, program: Program): Promise<void> => {
  const { deviceId } = program;
  await program.says(WAITING);
  await expect
    .poll(() => hub.admin.get(recordCalls.getLatestValues, { deviceId }), { timeout: 20_000 })
    .toMatchObject([{ signCode: 'power', value: true }]);
  const answer = await onceOnline(hub, deviceId, 'power', 'false');
  expect({ ...answer, said: program.output() }).toMatchObject({
    status: 'answered',
    code: 200,
    output: { power: false },
  });
  expect(await program.exited, program.output()).toBe(0);
  expect(program.output()).toContain('command: {"properties":{"power":false}}');
  expect(await hub.admin.get(recordCalls.getLatestValues, { deviceId })).toMatchObject([
    { signCode: 'power', value: false },
  ]);
  const { versionNumber } = await hub.admin.get(deviceCalls.getDeviceDetails, { deviceId });
  expect(versionNumber).toBe('1.0.0');
};

let hub: Hub;
let made: Workshop;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'other-clients-'));
  hub = await startHub();
  made = await workshop(hub);
});
afterAll(async () => {
  for (const child of running) killAll(child);
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("bash, curl, openssl and Mosquitto's clients", () => {
  it.each(['hmacsha256', 'md5'])('are a device that signs with %s', async (SIGN_METHOD) => {
    await expectObedient(hub, runDevice(hub, made, SHELL, { SIGN_METHOD }));
  });

  it('come back with the secret that the hub gave them, when the product counts no more', async () => {
    const SECRET_FILE = join(folder, unique('secret'));
    const first = runDevice(hub, made, SHELL, { SECRET_FILE });
    await expectObedient(hub, first);
    const DEVICE_ID = first.deviceId;
    await expectObedient(hub, runDevice(hub, made, SHELL, { SECRET_FILE, DEVICE_ID }));
    const stranger = runDevice(hub, made, SHELL, { DEVICE_ID });
    expect(await stranger.exited).toBe(1);
    expect(stranger.output()).toContain('"code":"SIGNATURE"');
  });

  it('obey a service', async () => {
    const program = runDevice(hub, made, SHELL);
    await program.says(WAITING);
    const answer = await onceOnline(hub, program.deviceId, 'restart', '{"type":1}');
    expect(answer).toMatchObject({ status: 'answered', code: 200, output: {} });
    expect(await program.exited, program.output()).toBe(0);
  });
});

describe('Eclipse paho', () => {
  it.each([
    ['MQTT 3.1.1', 'hmacsha256', []],
    ['MQTT 5', 'hmacsha256', ['--mqtt5']],
    ['MQTT 3.1.1', 'md5', []],
  ])('is a device over %s that signs with %s and refreshes its token', async (_version, SIGN_METHOD, more) => {
    const program = runDevice(hub, made, [...PYTHON, '--once', ...more], { SIGN_METHOD });
    await expectObedient(hub, program);
    expect(program.output()).toMatch(/^token refreshed, good for \d+ s$/m);
    const { list } = await hub.admin.get(recordCalls.deviceMessageRecord, { deviceId: program.deviceId, type: 9 });
    expect(list.map(({ code, dataFlow }) => [dataFlow, code]).sort()).toEqual([
      [1, 200],
      [2, 200],
    ]);
  });

  it('is told what it cannot do, and lives through a lost connection', async () => {
    const program = runDevice(hub, made, PYTHON);
    const { deviceId } = program;
    await program.says(WAITING);
    const refused = await onceOnline(hub, deviceId, 'fadeTo', '{"brightness":20,"seconds":1}');
    expect(refused).toMatchObject({ status: 'failed', code: 60003 });
    await hub.admin.get(controlCalls.kickOut, { deviceId, op: 1 });
    await expect.poll(() => program.output().split(WAITING).length, { timeout: 40_000, interval: 100 }).toBe(3);
    expect(await onceOnline(hub, deviceId, 'power', 'false')).toMatchObject({ status: 'answered' });
    killAll(program.child);
    await program.exited;
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

describe('over TLS', () => {
  let secure: Hub;
  let product: Workshop;
  let certificate: ReturnType<typeof makeCertificate>;
  beforeAll(async () => {
    certificate = makeCertificate();
    const port = await freePort();
    secure = await startHub({
      ...certificate,
      MQTTS_PORT: String(port),
      // Where devices are sent; without it they would be told the listener without TLS.
      MQTT_PUBLIC_URL: `mqtts://127.0.0.1:${port}`,
    });
    product = await workshop(secure);
  });
  afterAll(() => secure.close());

  it.each([
    ["Mosquitto's clients", SHELL],
    ['Eclipse paho', [...PYTHON, '--once', '--mqtt5']],
  ])('%s are a device', async (_name, command) => {
    const program = runDevice(secure, product, command, { CA_FILE: certificate.TLS_CERT });
    await expectObedient(secure, program);
    const { transport } = await secure.admin.get(deviceCalls.getDeviceDetails, { deviceId: program.deviceId });
    expect(transport).toBe('tls');
  });

  it('a client that does not know the certificate stays away', async () => {
    const program = runDevice(secure, product, [...PYTHON, '--once']);
    expect(await program.exited).toBe(1);
    expect(program.output()).toMatch(/certificate verify failed/i);
  });
});

it('the examples are there to be run', () => {
  for (const file of [SHELL[1] ?? '', PYTHON[1] ?? '']) {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toMatch(/^#!\/usr\/bin\/env (bash|python3)\n/);
  }
});
