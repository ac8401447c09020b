import {
  allCalls,
  apiKeyCalls,
  controlCalls,
  deviceCalls,
  type NamedCall,
  tenancyCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { createProductFixture } from './device-fixtures.ts';
import { createVersion, insertTask, insertTaskDevice, linkSigner } from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { login, loginFields, tryLogin } from './raw-device.ts';
import { createTenantFixture, type TenantFixture } from './tenants.ts';

/* Every call of devices, brokers and other hubs, by all callers without permission. */

/** The accepted callers of each call; a new call without an entry fails. */
const doors: Record<string, 'anybody' | 'device' | 'sync' | 'broker'> = {
  'bucket.loginDevice': 'anybody',
  'bucket.getFirmwareKey': 'anybody',
  'bucket.getConnectBucket': 'device',
  'bucket.getFirmwareLink': 'device',
  'bucket.downloadFirmware': 'device',
  'bucket.getSyncTarget': 'sync',
  'bucket.deliverSync': 'sync',
  'bucket.compareSync': 'sync',
  'brokerAuth.emqxAuthenticate': 'broker',
  'brokerAuth.emqxAuthorize': 'broker',
  'brokerAuth.rabbitUser': 'broker',
  'brokerAuth.rabbitVhost': 'broker',
  'brokerAuth.rabbitResource': 'broker',
  'brokerAuth.rabbitTopic': 'broker',
};

let hub: Hub;
let side: TenantFixture;
const tokens = new Map<string, string>();
let link: string;
let deviceOtaTaskId: string;
let deviceId: string;
let fixture: Awaited<ReturnType<typeof createProductFixture>>;

const newDevice = async (of = fixture) => {
  const who = { productId: of.productId, deviceId: unique('dev'), secret: of.productSecret };
  const { token, deviceSecret = '' } = await login(hub.url, who);
  return { ...who, token, secret: deviceSecret };
};
type Device = Awaited<ReturnType<typeof newDevice>>;
let deleted: Device;
let shut: Device;

const newKey = async (more: object, user = side.user) =>
  (await user.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), ...more })).key;

beforeAll(async () => {
  hub = await startHub();
  side = await createTenantFixture(hub);
  const { tenancyId } = side.user;
  fixture = await createProductFixture(hub, {}, tenancyId);
  const operator = await hub.create.user({ tenancyId: '1', menus: [205, 501, 502, 603] });
  const disabledTenant = await createTenantFixture(hub);

  const good = await newDevice();
  const { versionId, file } = await createVersion(hub, fixture);
  const taskId = await insertTask(hub, { versionId, ...fixture }, 2);
  deviceId = good.deviceId;
  deviceOtaTaskId = String(await insertTaskDevice(hub, taskId, { deviceId, tenancyId, status: 1, attempt: 1 }));
  const fileId = file.firmwareUri.slice(3);
  link =
    linkSigner(hub)
      .linkFor({ fileId, deviceId, recordNo: Number(deviceOtaTaskId), attempt: 1 })
      .split('link=')[1] ?? '';

  const foreign = await newDevice(await createProductFixture(hub, {}, await hub.create.tenancy()));
  const black = await newDevice();
  deleted = await newDevice();
  shut = await newDevice(await createProductFixture(hub, {}, disabledTenant.user.tenancyId));
  tokens.set('nobody', '').set('nonsense', 'nonsense').set('a person', hub.admin.token);
  tokens.set('a key of a role', await newKey({ roleId: side.ids.roleId }));
  tokens.set('sync', await newKey({ scope: 'sync', applicationId: side.ids.applicationId }));
  tokens.set('broker', await newKey({ scope: 'broker' }, operator));
  tokens.set(
    'a sync key of a closed tenant',
    await newKey({ scope: 'sync', applicationId: disabledTenant.ids.applicationId }, disabledTenant.user),
  );
  tokens.set('device', good.token).set('another tenant’s device', foreign.token);
  tokens.set('a deleted device', deleted.token).set('a blacklisted device', black.token);
  tokens.set('a device of a closed tenant', shut.token);

  await hub.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deleted.deviceId] });
  await hub.admin.ok(controlCalls.markBlack, { idList: [black.deviceId], op: 1 });
  await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId: disabledTenant.user.tenancyId, enabled: 0 });
}, 120_000);
afterAll(() => hub.close());

const inputs = (): Record<string, Record<string, unknown>> => {
  const emqx = { clientid: deviceId, username: deviceId };
  const rabbit = { client_id: deviceId, username: deviceId };
  return {
    getFirmwareLink: { deviceOtaTaskId, attempt: 1 },
    downloadFirmware: { link },
    deliverSync: { items: [{ kind: 'model', id: fixture.productId, origin: 'elsewhere', revision: 1, content: {} }] },
    compareSync: { items: [{ kind: 'model', id: fixture.productId, origin: 'elsewhere', revision: 1 }] },
    emqxAuthenticate: { ...emqx, password: tokens.get('device') },
    emqxAuthorize: { ...emqx, topic: 'x', action: 'publish' },
    rabbitUser: { ...rabbit, password: tokens.get('device') },
    rabbitVhost: rabbit,
    rabbitResource: { ...rabbit, resource: 'queue', name: 'x', permission: 'read' },
    rabbitTopic: { ...rabbit, resource: 'topic', name: 'amq.topic', permission: 'read', routing_key: 'x' },
  };
};

type Told = { success?: boolean; statusCode: number; data?: unknown };

/** Files and the answers to brokers come outside of the envelope. */
const send = async ({ name, call }: NamedCall, caller: string, input = inputs()[name] ?? {}): Promise<Told> => {
  const query = call.method === 'GET' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
  const response = await fetch(`${hub.url}${call.path}${query}`, {
    method: call.method,
    headers: { Authorization: tokens.get(caller) ?? '', 'Content-Type': 'application/json' },
    ...(call.method === 'GET' ? {} : { body: JSON.stringify(input) }),
  });
  const text = await response.text();
  if (response.status === 200) return { statusCode: 200, data: text };
  return { ...(JSON.parse(text) as Told), requestId: '' } as Told;
};

const calls = allCalls
  .filter(({ call }) => call.forDevices)
  .map((entry) => ({ title: `${entry.slice}.${entry.name}`, ...entry }));
const guarded = calls.filter(({ title }) => doors[title] !== 'anybody');

it('lists every call of the contract in the table', () => {
  expect(calls.map(({ title }) => title).sort()).toEqual(Object.keys(doors).sort());
});

/** Another tenant's device may connect itself; this test is about the firmware of this tenant. */
const mayEnter = (title: string, caller: string): boolean =>
  caller === doors[title] || (title === 'bucket.getConnectBucket' && caller === 'another tenant’s device');

describe.each(guarded)('$title', (entry) => {
  it('accepts the intended caller', async () => {
    expect(await send(entry, doors[entry.title] ?? '')).toMatchObject({ statusCode: 200 });
  });

  it('rejects all other callers and reveals nothing', async () => {
    for (const caller of tokens.keys()) {
      if (mayEnter(entry.title, caller)) continue;
      const answer = await send(entry, caller);
      expect(answer, `${caller}: ${JSON.stringify(answer)}`).toMatchObject({ success: false, data: null });
      expect([401, 403, 404], caller).toContain(answer.statusCode);
      const text = JSON.stringify(answer);
      for (const word of [...side.words, fixture.productId, deviceId]) expect(text, caller).not.toContain(word);
    }
  });
});

describe('a download link of another tenant’s device', () => {
  it('gets the same answer as a link that does not exist', async () => {
    const [linked] = calls.filter(({ name }) => name === 'getFirmwareLink');
    if (!linked) throw new Error('there is no getFirmwareLink');
    const none = await send(linked, 'another tenant’s device', { deviceOtaTaskId: '1', attempt: 1 });
    expect(await send(linked, 'another tenant’s device')).toEqual(none);
  });
});

describe('device login', () => {
  it('answers a deleted device like one that never existed', async () => {
    const gone = await tryLogin(hub.url, loginFields(deleted));
    const never = await tryLogin(hub.url, loginFields({ ...deleted, deviceId: unique('never') }));
    expect({ ...gone, requestId: '' }).toEqual({ ...never, requestId: '' });
  });

  it('rejects a device of a disabled tenant, and states why only to the owner of its secret', async () => {
    expect(await tryLogin(hub.url, loginFields(shut))).toMatchObject({ code: 'TENANCY_CLOSED', data: null });
    const guessed = await tryLogin(hub.url, loginFields({ ...shut, secret: 'a guess' }));
    expect(guessed).toMatchObject({ code: 'SIGNATURE', data: null });
  });
});

describe('an API key for brokers or hubs', () => {
  it('opens no call for users', async () => {
    for (const caller of ['sync', 'broker', 'device'])
      for (const { slice, name, call } of allCalls.filter(({ call }) => call.access !== 'public')) {
        const answer = await createClient(hub.url, tokens.get(caller)).send(call);
        expect([401, 403], `${caller} at ${slice}.${name}`).toContain(answer.statusCode);
        expect(answer).toMatchObject({ success: false, data: null });
      }
  });
});
