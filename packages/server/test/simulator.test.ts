import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { readOptions } from '@device-center/simulator/src/arguments.ts';
import { summaryOf } from '@device-center/simulator/src/progress.ts';
import { simulate } from '@device-center/simulator/src/simulate.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LONG } from './connectivity-fixtures.ts';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MAIN = fileURLToPath(import.meta.resolve('@device-center/simulator/src/main.ts'));

const folder = temporaryFolder('simulator-');
let hub: Hub;
beforeAll(async () => {
  hub = await startHub();
});
afterAll(() => hub.close());

const launch = (...args: string[]) => {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  const ended = new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    child.on('exit', (code) => resolve({ code, output, errors }));
  });
  return { child, ended };
};

/** Runs in this process until a condition holds. Returns the summary that the program would print. */
const simulateUntil = async (isEnough: () => Promise<boolean>, args: string[]): Promise<string> => {
  const order = readOptions(args);
  if (!order) throw new Error('it only asks for help');
  const stop = new AbortController();
  const figures = simulate(order, { write: () => undefined }, stop.signal);
  try {
    await expect.poll(isEnough, { timeout: 40_000 }).toBe(true);
  } finally {
    stop.abort();
  }
  return summaryOf(await figures);
};

const fleetOf = ({ productId, productSecret }: ProductFixture, prefix: string, ...more: string[]): string[] => [
  ...['--hub', hub.url, '--product', productId, '--secret', productSecret],
  ...['--prefix', prefix, '--state', join(folder, `${prefix}.txt`), ...more],
];

/** `name   12   …` of the summary. */
const figure = (output: string, name: string): number =>
  Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(output)?.[1] ?? Number.NaN);
const part = (output: string, name: string): number =>
  Number(new RegExp(`${name} (\\d+)`).exec(output)?.[1] ?? Number.NaN);

const recordsOf = async (prefix: string, type: number, isFine: boolean): Promise<number> => {
  const { count } = await hub.records
    .selectFrom('message_record')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('device_id', 'like', `${prefix}%`)
    .where('message_type', '=', type)
    .where('data_flow', '=', 1)
    .where('code', isFine ? '=' : '!=', 200)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** The distinguishing key of reports: their devices, or their sessions. */
const differentIn = async (prefix: string, column: 'device_id' | 'session_id'): Promise<number> => {
  const reports = hub.records.selectFrom('message_record').where('message_type', '=', 2).where('data_flow', '=', 1);
  return (await reports.where('device_id', 'like', `${prefix}%`).select(column).distinct().execute()).length;
};

const logLines = async (prefix: string): Promise<number> =>
  (await hub.records.selectFrom('device_log').select('record_id').where('device_id', 'like', `${prefix}%`).execute())
    .length;

describe('a simulated fleet', () => {
  const DEVICES = LONG ? 50 : 20;
  const SECONDS = LONG ? 5 : 3;

  it(`of ${DEVICES} for ${SECONDS} seconds reports as acknowledged what the hub has stored`, async () => {
    const shop = await createProductFixture(hub);
    const size = ['--devices', String(DEVICES), '--rate', '100', '--duration', String(SECONDS)];
    const { code, output } = await launch(...fleetOf(shop, 'fleet-', ...size)).ended;
    expect(code).toBe(0);
    const { total } = await hub.admin.ok(deviceCalls.queryDeviceList, { productId: shop.productId });
    expect(total).toBe(DEVICES);
    const sent = figure(output, 'sent');
    expect(sent).toBeGreaterThan(20 * SECONDS);
    // A second's worth may be saved up.
    expect(sent).toBeLessThanOrEqual(100 * (SECONDS + 1));
    expect([figure(output, 'acknowledged'), figure(output, 'rejected'), figure(output, 'lost')]).toEqual([sent, 0, 0]);
    expect(await recordsOf('fleet-', 2, true)).toBe(part(output, 'reports'));
    expect(await recordsOf('fleet-', 3, true)).toBe(part(output, 'events'));
    expect(await logLines('fleet-')).toBe(part(output, 'log lines'));
    expect([await recordsOf('fleet-', 2, false), await recordsOf('fleet-', 3, false)]).toEqual([0, 0]);
  });

  it('reconnects with its stored secrets, in a file that others cannot read', async () => {
    const shop = await createProductFixture(hub);
    const args = fleetOf(shop, 'again-', '--devices', '5', '--rate', '20', '--duration', '600', '--quiet');
    for (let run = 1; run <= 3; run++) {
      const output = await simulateUntil(async () => (await differentIn('again-', 'session_id')) >= 5 * run, args);
      expect(output).toContain('devices came online 5 times');
    }
    const file = join(folder, 'again-.txt');
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(5);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('with faults: wrong signatures are rejected, dropped connections lose nothing', async () => {
    const shop = await createProductFixture(hub);
    const faults = ['--faults', 'drops=0.05,flap=0.02,badSignature=0.1'];
    const isEnough = async (): Promise<boolean> => {
      const { list } = await hub.admin.ok(recordCalls.queryRefusedLogins, { productId: shop.productId });
      return list.some(({ reason }) => reason === 'SIGNATURE') && (await recordsOf('faulty-', 2, true)) >= 100;
    };
    const output = await simulateUntil(
      isEnough,
      fleetOf(shop, 'faulty-', '--devices', '20', '--rate', '60', '--duration', '600', ...faults),
    );
    const wrong = part(output.slice(output.indexOf('\nfaults')), 'badSignature');
    expect(wrong).toBeGreaterThan(0);
    expect(figure(output, 'lost')).toBe(0);
    expect(figure(output, 'rejected')).toBe(part(output.slice(output.indexOf('\nrejections')), 'SIGNATURE'));
    expect(figure(output, 'acknowledged') + figure(output, 'rejected')).toBe(figure(output, 'sent'));
    expect((await recordsOf('faulty-', 2, true)) + (await recordsOf('faulty-', 3, true))).toBe(
      part(output, 'reports') + part(output, 'events'),
    );
  });

  it('of gateways with children reports for all of them', async () => {
    const [gateways, sensors] = [
      await createProductFixture(hub, { nodeType: 2 }),
      await createProductFixture(hub, { nodeType: 3 }),
    ];
    const family = ['--child-product', sensors.productId, '--child-secret', sensors.productSecret, '--children', '4'];
    const output = await simulateUntil(
      async () => (await differentIn('family-', 'device_id')) >= 10,
      fleetOf(gateways, 'family-', '--devices', '2', '--rate', '50', '--duration', '600', ...family),
    );
    expect(output).toContain('devices came online 10 times');
    expect(await differentIn('family-', 'device_id')).toBe(10);
  });
});

it('answers commands by its model until it is interrupted, then disconnects and prints a summary', async () => {
  const shop = await createProductFixture(hub);
  const fleet = launch(...fleetOf(shop, 'served-', '--devices', '1', '--duration', '600'));
  const deviceId = 'served-1';
  await expect
    .poll(async () => (await hub.admin.call(deviceCalls.getDeviceDetails, { deviceId })).data?.online, {
      timeout: 20_000,
    })
    .toBe(1);
  const command = (functionId: string, functionValue: unknown) =>
    hub.admin.ok(controlCalls.commandDeviceFunction, { deviceId, functionId, functionValue }, { as: 'json' });
  await expect.poll(async () => (await command('brightness', 33)).code, { timeout: 20_000 }).toBe(200);
  expect(await command('fadeTo', { brightness: 1, seconds: 2 })).toMatchObject({
    status: 'answered',
    output: { accepted: expect.any(Boolean) },
  });
  fleet.child.kill('SIGINT');
  const { code, output } = await fleet.ended;
  expect(code).toBe(0);
  expect(figure(output, 'commands')).toBeGreaterThanOrEqual(2);
  await expectOnline(hub, deviceId, 2);
});

describe('invalid options of the simulator', () => {
  const known = ['--product', 'P', '--secret', 'S'];
  it.each([
    [[], '--product and --secret are required'],
    [[...known, '--rate', 'fast'], '--rate must be a number'],
    [[...known, '--devices', '1.5'], '--devices must be a whole number'],
    [[...known, '--hub', 'nowhere'], '--hub must be an address'],
    [[...known, '--faults', 'fire=1'], 'not fire'],
    [[...known, '--children', '2'], '--children requires --child-product'],
    [['--nonsense'], '--nonsense'],
  ])('%j prints the problem', (args, said) => {
    expect(() => readOptions(args)).toThrow(said);
  });

  it('exit with 2', async () => {
    const { code, errors } = await launch(...known, '--qos', '3').ended;
    expect([code, errors]).toEqual([2, expect.stringContaining('--qos must be 0, 1 or 2')]);
  });

  it('exits with 1 when no device can log in', async () => {
    const shop = await createProductFixture(hub);
    const fleet = launch(...fleetOf({ ...shop, productSecret: 'wrong' }, 'nobody-', '--devices', '1', '--quiet'));
    const refusals = async () => {
      const { list } = await hub.admin.ok(recordCalls.queryRefusedLogins, { productId: shop.productId });
      return list.map(({ deviceId, reason }) => [deviceId, reason]);
    };
    await expect.poll(refusals, { timeout: 20_000 }).toEqual([['nobody-1', 'SIGNATURE']]);
    fleet.child.kill('SIGINT');
    const { code, output } = await fleet.ended;
    expect(code).toBe(1);
    expect(output).toContain('SIGNATURE 1');
    expect(existsSync(join(folder, 'nobody-.txt'))).toBe(false);
  });
});
