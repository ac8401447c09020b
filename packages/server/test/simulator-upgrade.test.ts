import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '@device-center/simulator/src/arguments.ts';
import { upgradeFaultOf } from '@device-center/simulator/src/upgrades.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createProductFixture, expectOnline } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { temporaryFolder } from './temporary-folder.ts';
import {
  createTestSigner,
  expectStatuses,
  expectVersion,
  type FileServer,
  orderOf,
  type Serve,
  sendSystemService,
  serveBytes,
  startFileServer,
} from './upgrade-fixtures.ts';

const MAIN = fileURLToPath(import.meta.resolve('@device-center/simulator/src/main.ts'));

const folder = temporaryFolder('simulator-');
let hub: Hub;
let files: FileServer;
const maker = createTestSigner();
const firmware = randomBytes(100_000);

/** Log-in and bucket are the hub's; firmware and its key are the maker's. */
const serve: Serve = (request, answer) => {
  if (!request.url?.startsWith('/api/bucket/')) {
    serveBytes(firmware)(request, answer);
    return;
  }
  const { method = 'GET', headers } = request;
  const { authorization = '', 'content-type': type = '' } = headers;
  const sent = { method, headers: { Authorization: authorization, ...(type && { 'Content-Type': type }) } };
  const pass = async (): Promise<void> => {
    const body = Buffer.concat(await request.toArray());
    const passed = await fetch(`${hub.url}${request.url}`, { ...sent, ...(body.length > 0 && { body }) });
    answer.writeHead(passed.status, { 'Content-Type': 'application/json' }).end(await passed.text());
  };
  void pass();
};

beforeAll(async () => {
  hub = await startHub();
  files = await startFileServer(maker, serve);
});
afterAll(async () => {
  await files.close();
  await hub.close();
});

it('upgrades a simulated fleet, fails on request, and prints the phases', async () => {
  const { productId, productSecret } = await createProductFixture(hub);
  const child = spawn(
    process.execPath,
    [
      ...[MAIN, '--hub', new URL(files.url).origin, '--product', productId, '--secret', productSecret],
      ...['--devices', '7', '--rate', '1', '--duration', '600', '--prefix', 'ota-', '--quiet'],
      ...['--version', '2.0.0', '--install', '0.1', '--state', join(folder, 'ota.txt')],
      ...['--upgrade-faults', 'refuse=1,download=1,verification=1,install=1,silent=1,offline=1'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const names = Array.from({ length: 7 }, (_, index) => `ota-${index + 1}`);
  const isThere = async (deviceId: string) =>
    (await hub.db.selectFrom('device').select('device_id').where('device_id', '=', deviceId).execute()).length;
  for (const name of names) await expect.poll(() => isThere(name), { timeout: 30_000 }).toBe(1);
  for (const name of names) await expectOnline(hub, name, 1);
  const order = orderOf(maker, firmware, { productId, versionNumber: '2.1.0' }, files.url);
  const codes = await Promise.all(names.map((name) => sendSystemService(hub, name, 'ota', order)));
  expect(codes).toEqual([60_001, 200, 200, 200, 200, 200, 200]);
  await expectVersion(hub, 'ota-7', '2.1.0');
  await expectStatuses(hub, 'ota-2', [2, 6]);
  await expectStatuses(hub, 'ota-3', [2, 3, 6]);
  await expectStatuses(hub, 'ota-4', [2, 3, 4, 6]);
  await expectOnline(hub, 'ota-6', 2);
  for (const name of ['ota-1', 'ota-5']) {
    await expectVersion(hub, name, '2.0.0');
    await expectStatuses(hub, name, []);
  }
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  const [line = ''] = /^upgrades .*$/m.exec(output) ?? [];
  expect(line).toMatch(/ordered 7 /);
  expect(line).toMatch(/installed 1\b/);
  expect(line).toMatch(/failed 3\b/);
  for (const why of ['download', 'verification', 'install']) expect(line).toContain(`${why} 1`);
});

describe('the upgrade fault option', () => {
  const needed = ['--product', 'P', '--secret', 'S', '--devices', '10', '--upgrade-faults'];
  const faultsOf = (list: string) => {
    const order = readOptions([...needed, list]);
    return order && Array.from({ length: 10 }, (_, index) => upgradeFaultOf(order, index));
  };

  it('takes a number of devices, or a share', () => {
    expect(faultsOf('install=2,download=1')).toEqual(['download', 'install', 'install', ...Array(7).fill('')]);
    expect(faultsOf('silent=0.3')).toEqual([...Array(3).fill('silent'), ...Array(7).fill('')]);
    expect(faultsOf('')).toEqual(Array(10).fill(''));
  });

  it.each(['burn=1', 'install', 'install=1.5', 'install=-1', 'install=x'])('rejects %s', (list) => {
    expect(() => faultsOf(list)).toThrow('--upgrade-faults');
  });
});
