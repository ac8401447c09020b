import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { firmwareCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LONG } from './connectivity-fixtures.ts';
import { createProductFixture } from './device-fixtures.ts';
import { begin, insertUpgradeLink, openChunk, randomContent, uploaded, uriAt } from './firmware-fixtures.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { adminProcess } from './hub-process.ts';
import { login } from './raw-device.ts';

const MB = 1024 * 1024;
const SIZE = LONG ? 2_048 * MB : 120 * MB;
/** The allowed memory growth for any file size: garbage that is not collected yet. */
const BOUND_MB = 60;

let hub: SpawnedHub;
beforeAll(async () => {
  hub = await spawnHub();
});
afterAll(() => hub.close());

/** The peak memory of the admin process since the last reset. */
const peakMb = (): number => {
  const status = readFileSync(`/proc/${adminProcess(hub.process)}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
};
const forgetPeak = (): void => writeFileSync(`/proc/${adminProcess(hub.process)}/clear_refs`, '5');

const piece = randomContent(MB);
const source = function* () {
  for (let sent = 0; sent < SIZE; sent += MB) yield piece;
};

const answerOf = async (request: ReturnType<typeof httpRequest>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));

it(
  `streams a file of ${SIZE / MB} MB through the admin process without buffering it`,
  async () => {
    const place = await createProductFixture(hub);
    // Code that is loaded at the first use does not count.
    await uploaded(hub.admin, randomContent(100));
    forgetPeak();
    const before = peakMb();

    const at = await begin(hub.admin, { size: SIZE, fileName: 'large.img' });
    const sent = openChunk(hub.admin, at, SIZE);
    const [answer] = await Promise.all([answerOf(sent), pipeline(Readable.from(source()), sent)]);
    expect(answer.statusCode).toBe(204);
    answer.resume();
    const afterUpload = peakMb();

    const expected = createHash('sha256');
    for (const bytes of source()) expected.update(bytes);
    const sha256 = expected.digest('hex');
    const stateOf = async () => (await hub.admin.ok(firmwareCalls.getFirmwareFile, { firmwareUri: uriAt(at) })).state;
    await expect.poll(stateOf, { timeout: 300_000, interval: 200 }).toBe('ready');
    const file = await hub.admin.ok(firmwareCalls.getFirmwareFile, { firmwareUri: uriAt(at) });
    expect(file.sha256).toBe(sha256);
    const afterCheck = peakMb();

    const deviceId = unique('dev');
    const { token } = await login(hub.url, { productId: place.productId, deviceId, secret: place.productSecret });
    const { firmwareUri, nickName } = file;
    const { versionId } = await hub.admin.ok(firmwareCalls.addDeviceOtaVersion, {
      versionName: unique('v'),
      versionNumber: '1.0',
      productId: place.productId,
      firmwareUri,
      nickName,
    });
    const { link } = await insertUpgradeLink(hub, { versionId, ...place, deviceId, firmwareUri, lifeMs: 600_000 });
    const download = httpRequest(link, { headers: { Authorization: token } });
    download.end();
    const got = createHash('sha256');
    for await (const bytes of await answerOf(download)) got.update(bytes as Buffer);
    expect(got.digest('hex')).toBe(sha256);
    const afterDownload = peakMb();

    process.stdout.write(
      `memory of the admin side in MB: before ${before}, upload ${afterUpload}, check ${afterCheck}, download ${afterDownload}\n`,
    );
    expect(Math.max(afterUpload, afterCheck, afterDownload) - before).toBeLessThan(BOUND_MB);
  },
  LONG ? 900_000 : 180_000,
);
