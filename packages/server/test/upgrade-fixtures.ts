import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { deviceCalls, type OtaProgress, recordCalls, type UpgradeOrder } from '@device-center/contract';
import { createDevice, type Device, type DeviceOptions, type UpgradeOptions } from '@device-center/device-sdk';
import { expect } from 'vitest';
import { nextSequenceId } from '../src/platform/ids.ts';
import { expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';

/** An Ed25519 key from its 32-byte seed, with the PKCS #8 prefix. */
export const keyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });

export const publicBytesOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);

const digest = (algorithm: 'md5' | 'sha256', bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest('hex');

/** Signs firmware manifests with node:crypto, without the product's code. */
export const createTestSigner = (seed: Uint8Array = randomBytes(32)) => {
  const key = keyOf(seed);
  const publicBytes = publicBytesOf(key);
  const keyId = digest('sha256', publicBytes).slice(0, 16);
  return {
    keyId,
    publicKey: publicBytes.toString('base64'),
    pem: createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(),
    sign: (content: string) => ({
      content,
      signature: sign(null, Buffer.from(content, 'utf8'), key).toString('base64'),
      keyId,
    }),
  };
};
export type TestSigner = ReturnType<typeof createTestSigner>;

type Said = { productId: string; versionNumber: string };

export const contentOf = (bytes: Uint8Array, said: Said): string =>
  JSON.stringify({ ...said, size: bytes.length, sha256: digest('sha256', bytes), date: '2026-01-01T00:00:00.000Z' });

/** An upgrade order as the hub sends it. */
export const orderOf = (maker: TestSigner, bytes: Uint8Array, said: Said, url: string): UpgradeOrder => ({
  deviceOtaTaskId: unique('record'),
  attempt: 1,
  versionNumber: said.versionNumber,
  url,
  size: bytes.length,
  md5: digest('md5', bytes),
  sha256: digest('sha256', bytes),
  manifest: maker.sign(contentOf(bytes, said)),
});

export type Serve = (request: IncomingMessage, answer: ServerResponse) => void;

const rangeStart = (request: IncomingMessage): number | null => {
  const start = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  return start === undefined ? null : Number(start);
};

/** fetch() discards bytes that it has not delivered when the connection drops: wait a little before dropping it. */
const DROP_AFTER_MS = 20;

/** Serves files with Range, If-Range and ETag. `most`: the connection drops after so many bytes. */
export const serveBytes =
  (bytes: Uint8Array, { tag = `"${digest('sha256', bytes)}"`, most = () => Number.POSITIVE_INFINITY } = {}): Serve =>
  (request, answer) => {
    const requests = rangeStart(request);
    const ifRange = request.headers['if-range'];
    const start = requests !== null && (ifRange === undefined || ifRange === tag) ? requests : 0;
    if (start > 0 && start >= bytes.length) {
      answer.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
      return;
    }
    const rest = bytes.subarray(start);
    answer.writeHead(start > 0 ? 206 : 200, {
      ETag: tag,
      'Content-Length': rest.length,
      ...(start > 0 ? { 'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    const allowed = most();
    if (allowed >= rest.length) answer.end(rest);
    else answer.write(rest.subarray(0, allowed), () => setTimeout(() => answer.socket?.end(), DROP_AFTER_MS));
  };

/** A seeded generator: a failed run can be repeated. */
export const randomFrom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/** Drops the first `cuts` connections, each after a random number of bytes, some before the first byte. */
export const dropRandomly = (bytes: Uint8Array, cuts: number, random: () => number): Serve => {
  let left = cuts;
  const most = (): number => (left < 0 ? Number.POSITIVE_INFINITY : Math.floor((random() * bytes.length) / cuts));
  const whole = serveBytes(bytes, { most });
  return (request, answer) => {
    left--;
    if (left >= 0 && random() < 0.1) request.socket.resetAndDestroy();
    else whole(request, answer);
  };
};

/** Serves firmware, the signing key and new links; records the requests. */
export const startFileServer = async (maker: TestSigner, serve: Serve) => {
  const requests: { path: string; range: string; ifRange: string; token: string }[] = [];
  const envelope = (answer: ServerResponse, data: unknown): void =>
    void answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ success: true, data }));
  const server = createServer((request, answer) => {
    const { url = '', headers } = request;
    const { range = '', authorization: token = '' } = headers;
    requests.push({ path: url, range, ifRange: String(headers['if-range'] ?? ''), token });
    const { keyId, publicKey, pem } = maker;
    if (url.includes('getFirmwareKey')) envelope(answer, { keyId, algorithm: 'ed25519', publicKey, pem });
    else if (url.includes('getFirmwareLink')) envelope(answer, { url: `${root}/another-link`, expireIn: 60 });
    else files.serve(request, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const root = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const files = {
    url: `${root}/a-link`,
    requests,
    serve,
    downloads: () => requests.filter(({ path }) => path.includes('link') && !path.includes('getFirmware')),
    /** Handles the two calls of an upgrade; all others go to the hub. */
    fetch: ((url, init) => {
      const at = url.indexOf('/api/bucket/getFirmware');
      return fetch(at < 0 ? url : `${root}${url.slice(at)}`, init);
    }) satisfies DeviceOptions['fetch'],
    close: (): Promise<void> => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return files;
};
export type FileServer = Awaited<ReturnType<typeof startFileServer>>;

/** Sends a system service as the hub's dispatcher does, by a command row, and waits for the result. */
export const sendSystemService = async (
  hub: Hub,
  deviceId: string,
  service: string,
  input: object,
  viaId = deviceId,
) => {
  const [commandId, now] = [nextSequenceId(), Date.now()];
  await hub.db
    .insertInto('device_command')
    .values({
      command_id: commandId,
      device_id: deviceId,
      tenancy_id: '1',
      via_id: viaId,
      message_type: 4,
      function_type: 31,
      function_id: service,
      payload: JSON.stringify({ service, input }),
      state: 'created',
      code: 0,
      message: '',
      output: null,
      creator: '',
      created_at: now,
      sent_at: 0,
      answered_at: 0,
      deadline: now + 30_000,
    })
    .execute();
  const read = () =>
    hub.db
      .selectFrom('device_command')
      .select(['state', 'code'])
      .where('command_id', '=', commandId)
      .executeTakeFirstOrThrow();
  await expect
    .poll(async () => (await read()).state, { timeout: 30_000, interval: 20 })
    .not.toMatch(/^(created|sent)$/);
  return (await read()).code;
};

/** The stored upgrade reports of a device, oldest first. */
export const progressOf = async (hub: Hub, deviceId: string): Promise<OtaProgress[]> => {
  const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, {
    deviceId,
    type: 3,
    dataFlow: 1,
    sortMode: 1,
    pageSize: 200,
  });
  // A virtual device also reports events of its own.
  const reports = list.filter(({ functionId }) => functionId === 'otaProgress');
  return reports.map(({ value }) => JSON.parse(value) as OtaProgress);
};

/** The reported states in order, without repetitions. */
export const statusesOf = async (hub: Hub, deviceId: string): Promise<number[]> => {
  const statuses = (await progressOf(hub, deviceId)).map(({ status }) => status as number);
  return statuses.filter((status, index) => status !== statuses[index - 1]);
};

export const expectStatuses = (hub: Hub, deviceId: string, statuses: number[]) =>
  expect.poll(() => statusesOf(hub, deviceId), { timeout: 30_000, interval: 50 }).toEqual(statuses);

export const expectVersion = (hub: Hub, deviceId: string, version: string, timeout = 30_000) =>
  expect
    .poll(async () => (await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).versionNumber, {
      timeout,
      interval: 50,
    })
    .toBe(version);

export type UpgradableOptions = Partial<Omit<DeviceOptions, 'upgrade'>> & { upgrade?: Partial<UpgradeOptions> };

/** Starts an upgradable device, waits until it is online, and records what it installs. */
export const startUpgradable = async (
  hub: Hub,
  { productId, productSecret }: ProductFixture,
  files: Pick<FileServer, 'fetch'>,
  { upgrade, ...more }: UpgradableOptions = {},
): Promise<{ device: Device; installed: Uint8Array[] }> => {
  const installed: Uint8Array[] = [];
  const device = createDevice({
    hubUrl: hub.url,
    productId,
    productSecret,
    deviceId: unique('lamp'),
    versionNumber: '1.0.0',
    backoff: { first: 10, max: 50 },
    fetch: files.fetch,
    ...more,
    upgrade: {
      install: async (file) => {
        installed.push(await file.bytes());
        return undefined;
      },
      reportEvery: 20,
      ...upgrade,
    },
  });
  await device.start();
  await expectOnline(hub, device.deviceId, 1);
  return { device, installed };
};

/** The bytes with one flipped bit. */
export const flipped = (bytes: Uint8Array, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};
