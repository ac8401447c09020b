/**
 * Time until a browser with an empty cache shows the content of a page, over a connection with 10 Mbit/s and 40 ms
 * latency, with the processor throttled four times. Reference: the same number of bytes in one file over the same
 * connection. BENCH_AGAINST=FOLDER measures another checkout with a built console, alternating with this one.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext } from '@playwright/test';
import type { Hub, spawnHub as SpawnHub } from '../packages/server/test/hub.ts';
import { launchBrowser, logIn } from './browser.ts';
import { median } from './median.ts';
import { report } from './report.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7);
const LINE = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 };
const SLOWER = 4;

const scenes = [
  { name: 'log-in', address: '/', shown: 'input[name=username]', known: false },
  { name: 'home', address: '/message/messageChart', shown: 'canvas', known: true },
  { name: 'device list', address: '/productConfig/deviceList', shown: 'tbody tr.ant-table-row', known: true },
] as const;
type Scene = (typeof scenes)[number];

type Side = { name: string; hub: Hub; state: Awaited<ReturnType<BrowserContext['storageState']>> };

const slowPage = async (context: BrowserContext) => {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return { page, bytes: () => bytes };
};

const openSide = async (browser: Browser, name: string, root: string): Promise<Side> => {
  const { spawnHub } = (await import(join(root, 'packages', 'server', 'test', 'hub.ts'))) as {
    spawnHub: typeof SpawnHub;
  };
  const hub = await spawnHub();
  const productId = await hub.create.product('1');
  const applicationId = await hub.create.application('1');
  for (let index = 0; index < 30; index++) await hub.create.device({ productId, applicationId });
  const context = await browser.newContext();
  const page = await context.newPage();
  await logIn(page, hub.url);
  const state = await context.storageState();
  await context.close();
  return { name, hub, state };
};

const open = async (browser: Browser, { hub, state }: Side, scene: Scene): Promise<{ ms: number; bytes: number }> => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...(scene.known ? { storageState: state } : {}),
  });
  const { page, bytes } = await slowPage(context);
  const began = performance.now();
  await page.goto(hub.url + scene.address, { waitUntil: 'commit' });
  await page.locator(scene.shown).first().waitFor();
  const ms = performance.now() - began;
  const sum = bytes();
  await context.close();
  return { ms, bytes: sum };
};

const bare = createServer(({ url }, answer) => {
  const asked = Number(/\d+/.exec(url ?? '')?.[0] ?? 0);
  answer.setHeader('Content-Type', asked === 0 ? 'text/html' : 'application/octet-stream');
  answer.end(asked === 0 ? '<p>bytes</p>' : Buffer.alloc(asked, 1));
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;

/** The reference: an empty page that loads one file of the given size. */
const fetchBytes = async (browser: Browser, bytes: number): Promise<number> => {
  const context = await browser.newContext();
  const { page } = await slowPage(context);
  const began = performance.now();
  await page.goto(bareUrl);
  await page.evaluate(async (path) => (await (await fetch(path)).arrayBuffer()).byteLength, `/${bytes}`);
  const ms = performance.now() - began;
  await context.close();
  return ms;
};

const browser = await launchBrowser();
const sides = [await openSide(browser, 'this', join(import.meta.dirname, '..'))];
if (process.env.BENCH_AGAINST) sides.push(await openSide(browser, 'the other checkout', process.env.BENCH_AGAINST));

for (const scene of scenes) {
  const times = sides.map((): number[] => []);
  const bytes = sides.map(() => 0);
  const references: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, side] of sides.entries()) {
      const opened = await open(browser, side, scene);
      times[index]?.push(opened.ms);
      bytes[index] = opened.bytes;
    }
    references.push(await fetchBytes(browser, bytes[0] ?? 0));
  }
  const [mine = [], other] = times;
  const said = { what: `${scene.name}, first visit`, value: median(mine), unit: 'ms', worst: Math.max(...mine) };
  report({
    ...said,
    reference: { name: `the same ${Math.round((bytes[0] ?? 0) / 1_024)} KB in one piece`, value: median(references) },
  });
  if (other)
    report({
      ...said,
      reference: { name: `${sides[1]?.name}, ${Math.round((bytes[1] ?? 0) / 1_024)} KB`, value: median(other) },
    });
}

await browser.close();
for (const { hub } of sides) await hub.close();
bare.close();
