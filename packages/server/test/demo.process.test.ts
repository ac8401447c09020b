import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  accountCalls,
  applicationCalls,
  categoryCalls,
  controlCalls,
  deviceCalls,
  homeCalls,
  MessageType,
  modelCalls,
  modelOfProduct,
  otaCalls,
  personalCalls,
  productCalls,
  recordCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { readFleet } from '@device-center/simulator/src/demo-file.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { createBystander, rowsOf } from './demo-bystander.ts';
import { expectConsistent, expectSignedFile, firmwareFilesOf, noonZone, tasksOf, versionsOf } from './demo-upgrades.ts';
import { PASSWORD, type SpawnedHub, spawnHub } from './hub.ts';
import { addTask, expectTask } from './ota-fixtures.ts';
import { runCli } from './run-cli.ts';

const FLEET = fileURLToPath(import.meta.resolve('@device-center/simulator/src/demo.ts'));
const DAY_MS = 86_400_000;
/** A month of history is written before the hub is up: seconds on an idle machine. */
const SLOW_MS = 240_000;
const SMALL = ['--max-semi-space-size=2', '--max-old-space-size=128'];

let hub: SpawnedHub;
const tenants = new Map<string, string>();
beforeAll(async () => {
  hub = await spawnHub({}, ['--demo']);
  const { list } = await hub.admin.ok(tenancyCalls.queryTenancyList, { pageSize: 200 });
  for (const { tenancyName, tenancyId } of list) tenants.set(tenancyName, tenancyId);
}, SLOW_MS);
afterAll(() => hub.close());

const YUNLING = '云岭智慧楼宇';
const HARBOR = 'Harbor Cold Chain';
const idOf = (name: string): string => tenants.get(name) ?? '';
const all = { pageSize: 200 } as const;

const passwordOf = (username: string): string =>
  new RegExp(`account {3}${username}\\n {2}password {2}(\\S+) {3}\\(one-time`).exec(hub.process.output())?.[1] ?? '';

const devicesOf = async (more: { deviceName?: string; productId?: string } = {}) =>
  (await hub.admin.ok(deviceCalls.queryDeviceList, { ...all, ...more })).list;
const deviceNamed = async (deviceName: string) => (await devicesOf({ deviceName }))[0];

describe('demo companies', () => {
  it('exist, and all their objects obey the rules of the forms', async () => {
    expect([...tenants.keys()].sort()).toEqual([HARBOR, 'Platform', YUNLING].sort());
    for (const name of [YUNLING, HARBOR]) {
      const tenancyId = idOf(name);
      const company = await hub.admin.ok(tenancyCalls.getTenancyDetails, { tenancyId });
      tenancyCalls.addTenancy.input.parse(company);
      const applications = await hub.admin.ok(applicationCalls.queryApplicationList, { tenancyId });
      expect(applications.list).toHaveLength(2);
      for (const one of applications.list) applicationCalls.addApplication.input.parse(one);
      const roles = await hub.admin.ok(roleCalls.queryRoleList, { tenancyId });
      expect(roles.list).toHaveLength(1);
      for (const one of roles.list) roleCalls.addRole.input.parse(one);
      const users = await hub.admin.ok(userCalls.queryUserList, { tenancyId });
      expect(users.list).toHaveLength(1);
      for (const one of users.list) userCalls.addUser.input.parse({ ...one, phone: '' });
    }
    const categories = await hub.admin.ok(categoryCalls.getCategoryList, all);
    for (const one of categories.list) categoryCalls.addCategory.input.parse(one);
  });

  it('have a dozen products with pictures and valid models', async () => {
    const { list } = await hub.admin.ok(productCalls.queryDeviceProductList, all);
    expect(list).toHaveLength(12);
    expect(new Set(list.map(({ nodeType }) => nodeType))).toEqual(new Set([1, 2, 3]));
    for (const product of list) {
      productCalls.addDeviceProduct.input.parse(product);
      const picture = await fetch(hub.url + product.icon, { headers: { Authorization: hub.admin.token } });
      expect(picture.headers.get('content-type')).toBe('image/png');
      const bytes = Buffer.from(await picture.arrayBuffer());
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([256, 256]);
      expect(bytes.length).toBeLessThan(12 * 1024);
      const functions = await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, {
        productId: product.productId,
      });
      expect(functions.length).toBeGreaterThan(3);
      modelOfProduct().parse(functions.map(({ productId: _, ...entry }) => entry));
    }
  });

  it('have 200 devices, some with faults, and gateways with children', async () => {
    const list = await devicesOf();
    expect(list).toHaveLength(200);
    for (const device of list) {
      deviceCalls.addDevice.input.parse(device);
      const age = Date.now() - Date.parse(device.createTime);
      expect([age > 30 * DAY_MS, age < 46 * DAY_MS, device.mock]).toEqual([true, true, 0]);
    }
    const gateways = list.filter(({ nodeType }) => nodeType === 2);
    expect(gateways.map(({ childCount }) => childCount)).toEqual(gateways.map(() => 7));
    const { states } = await hub.admin.ok(homeCalls.getDeviceDistribution, {});
    expect(states).toMatchObject({ never: 5, blacklisted: 1, kicked: 1 });
    expect((await hub.admin.ok(controlCalls.blackList, {})).list[0]?.blackReason).not.toBe('');
    expect(list.filter(({ kickedUntil }) => Date.parse(kickedUntil) > Date.now() + 6 * DAY_MS)).toHaveLength(1);
  });

  it('have a month of history: values, events, logs, connections, counters', async () => {
    const device = await deviceNamed('Cold-room-North-01');
    const deviceId = device?.deviceId ?? '';
    const startTime = Date.now() - 30 * DAY_MS;
    const history = await hub.admin.ok(recordCalls.getPropertyHistory, {
      deviceId,
      signCode: 'temperature',
      startTime,
      limit: 1000,
    });
    expect(history.length).toBeGreaterThan(300);
    expect(Date.parse(history.at(-1)?.time ?? '')).toBeLessThan(startTime + DAY_MS);
    for (const { value } of history) expect([Number(value) > -26, Number(value) < -15]).toEqual([true, true]);
    const messages = await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId });
    expect(messages.total).toBeGreaterThan(300);
    expect((await hub.admin.ok(recordCalls.queryDeviceLogList, { deviceId })).total).toBeGreaterThan(10);
    expect((await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId })).total).toBeGreaterThan(3);
    for (const tenancyId of [idOf(YUNLING), idOf(HARBOR)]) {
      const days = await hub.admin.ok(homeCalls.getDayDeviceMessageCount, { scopeSign: 30, tenancyId });
      // Records are at most one an hour; the counters are of the whole.
      expect(days.slice(1, -1).filter(({ count }) => count < 50 * 1440)).toEqual([]);
    }
    const { today, demonstration } = await hub.admin.ok(homeCalls.getSystemDeviceCurrentCount, {});
    expect([today.deviceCount, demonstration]).toEqual([0, 1]);
  });

  it('have firmware, and finished, failed, stopped and scheduled upgrades', async () => {
    for (const tenancyId of [idOf(YUNLING), idOf(HARBOR)]) {
      const versions = await versionsOf(hub, tenancyId);
      expect(versions.length).toBeGreaterThanOrEqual(8);
      for (const version of versions) await expectSignedFile(hub, version);
      expect(versions.filter(({ deviceCount }) => deviceCount > 0).length).toBeGreaterThan(5);
      const tasks = await tasksOf(hub, tenancyId);
      for (const task of tasks) await expectConsistent(hub, task);
      expect(new Set(tasks.map(({ taskStatus }) => taskStatus))).toEqual(new Set([0, 3, 5, 7]));
      const later = tasks.find(({ taskStatus }) => taskStatus === 0);
      expect([later?.taskType, Date.parse(later?.nextTime ?? '') > Date.now() + DAY_MS / 3]).toEqual([2, true]);
    }
    const attention = await hub.admin.ok(homeCalls.getAttentionList, { timezone: noonZone() });
    expect(attention.find(({ kind }) => kind === 'failedUpgrades')?.count).toBe(8);
  });

  it('have an account each, whose password is printed once', async () => {
    for (const [username, name, devices] of [
      ['yunling-ops', YUNLING, 124],
      ['harbor-ops', HARBOR, 76],
    ] as const) {
      const oldPassword = passwordOf(username);
      const login = await hub.anonymous.ok(accountCalls.login, { username, password: oldPassword });
      expect([login.isFirst, login.tenancyName]).toEqual([1, name]);
      const user = createClient(hub.url, login.token);
      await user.ok(personalCalls.firstLoginUpdatePassword, { oldPassword, newPassword: PASSWORD });
      expect((await user.ok(deviceCalls.queryDeviceList, {})).total).toBe(devices);
    }
  });
});

describe('the demo fleet and its removal', () => {
  let fleet: ChildProcess;
  let ended: Promise<number | null>;
  afterAll(() => void fleet.kill('SIGKILL'));

  const file = (): string => join(hub.env.DATA_DIR ?? '', 'demo.json');

  /** How many bodies the fleet has. The quick form has one company's, and the other's meters. */
  const chooseFleet = (): number => {
    const { products, devices } = readFleet(file());
    const chosen = LONG ? devices : devices.filter(({ deviceId }) => /^(HC|YLEM)/.test(deviceId));
    writeFileSync(file(), JSON.stringify({ products, devices: chosen }));
    return chosen.reduce((count, { children }) => count + 1 + children.length, 0);
  };

  it('connects with its own secrets, reports and answers', { timeout: SLOW_MS }, async () => {
    expect(statSync(file()).mode & 0o077).toBe(0);
    const bodies = chooseFleet();
    fleet = spawn(process.execPath, [...SMALL, FLEET, hub.url, file()], { stdio: ['ignore', 'ignore', 'inherit'] });
    ended = new Promise((resolve) => fleet.once('exit', resolve));
    const online = async () => (await hub.admin.ok(deviceCalls.queryDeviceList, { online: 1 })).total;
    // Three are rejected, and one connects and disconnects.
    await expect.poll(online, { timeout: SLOW_MS, interval: 500 }).toBeGreaterThanOrEqual(bodies - 4);
    const meter = await deviceNamed('A座配电间电表01');
    const deviceId = meter?.deviceId ?? '';
    const command = () =>
      hub.admin.ok(
        controlCalls.commandDeviceFunction,
        { deviceId, functionId: 'relay', functionValue: false },
        { as: 'json' },
      );
    await expect.poll(async () => (await command()).code, { timeout: 30_000 }).toBe(200);
    const relay = async () =>
      (await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).find(({ signCode }) => signCode === 'relay');
    await expect.poll(async () => (await relay())?.value, { timeout: 30_000 }).toBe(false);
    const refused = await hub.admin.ok(recordCalls.queryRefusedLogins, { deviceId: 'HCGP' });
    expect(refused.list[0]?.reason).toBe('SIGNATURE');
    expect(Date.parse(refused.list[0]?.connectTime ?? '')).toBeGreaterThan(Date.now() - SLOW_MS);
  });

  it('installs upgrades: failed devices are retried, and a child is upgraded', { timeout: SLOW_MS }, async () => {
    const tasks = await tasksOf(hub, idOf(HARBOR));
    const trucks = tasks.find(({ taskStatus }) => taskStatus === 7);
    const taskId = trucks?.taskId ?? '';
    await hub.admin.ok(otaCalls.retryOtaForFailed, { taskId, taskRank: 5, executeNow: 1, taskType: 1 });
    const child = await deviceNamed('Cold-room-South-11');
    const paused = tasks.find(({ taskStatus }) => taskStatus === 3);
    const chosen = { deviceListId: [child?.deviceId ?? ''], taskRank: 9 };
    const own = await addTask(hub.admin, paused?.deviceVersionId ?? '', chosen);
    await expectTask(hub.admin, taskId, 5);
    await expectTask(hub.admin, own, 5);
    expect((await deviceNamed('Cold-room-South-11'))?.versionNumber).toBe(paused?.targetVersion);
    expect(existsSync(`${file()}.versions`)).toBe(true);
  });

  it('is removed completely while the hub runs, without effect on others', { timeout: SLOW_MS }, async () => {
    const { tenancyId, device } = await createBystander(hub);
    const { deviceId } = device;
    const before = await rowsOf(hub, tenancyId, deviceId);
    expect([before.counters.length > 0, before.samples.length > 0]).toEqual([true, true]);

    const { code, out, err } = await runCli('cli/remove-demo.ts', hub.env);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('200 devices with their history, 12 products, 2 accounts');
    expect(await ended).toBe(0);
    expect([existsSync(file()), existsSync(`${file()}.versions`)]).toEqual([false, false]);
    expect(await firmwareFilesOf(hub)).toEqual([]);

    expect(await rowsOf(hub, tenancyId, deviceId)).toEqual(before);
    await device.send({ type: MessageType.config, payload: { properties: { power: false } } });
    const { list } = await hub.admin.ok(tenancyCalls.queryTenancyList, all);
    expect(list.map((row) => row.tenancyId)).toEqual(expect.arrayContaining(['1', tenancyId]));
    expect(list).toHaveLength(2);
    expect((await devicesOf()).map((row) => row.deviceId)).toEqual([deviceId]);
    expect((await hub.admin.ok(homeCalls.getSystemDeviceCurrentCount, {})).demonstration).toBe(0);
  });

  it('leaves no row in any table, and correct totals over all tenants', async () => {
    const whose = new Set<string>();
    for (const table of ['message_record', 'connect_record', 'device_log', 'quarter_counter', 'counter_total'] as const)
      for (const row of await hub.records.selectFrom(table).select('tenancy_id').distinct().execute())
        whose.add(row.tenancy_id);
    const known = (await hub.db.selectFrom('tenancy').select('tenancy_id').execute()).map((row) => row.tenancy_id);
    expect([...whose].filter((id) => id !== '' && !known.includes(id))).toEqual([]);
    const [one] = await hub.records.selectFrom('counter_total').selectAll().where('tenancy_id', '<>', '').execute();
    const [together] = await hub.records.selectFrom('counter_total').selectAll().where('tenancy_id', '=', '').execute();
    expect([together?.messages, together?.accesses]).toEqual([one?.messages, one?.accesses]);
    expect([one?.messages, one?.accesses]).toEqual([17, 3]);
    for (const table of ['product', 'role', 'user_account', 'category', 'picture', 'fleet_snapshot'] as const) {
      const rows = await hub.db.selectFrom(table).select('tenancy_id').distinct().execute();
      expect(rows.filter((row) => !known.includes(row.tenancy_id))).toEqual([]);
    }
    for (const table of ['firmware_file', 'ota_version', 'ota_task', 'ota_device', 'ota_hold', 'ota_log'] as const)
      expect([table, await hub.db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    const seeds = await hub.db.selectFrom('seed').select('seed_name').execute();
    expect(seeds).toEqual([{ seed_name: 'standard categories' }]);
  });

  it('cannot be removed twice', async () => {
    const again = await runCli('cli/remove-demo.ts', hub.env);
    expect(again).toEqual({ code: 0, out: 'there is no demonstration\n', err: '' });
  });
});
