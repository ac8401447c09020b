/**
 * The control panel of a mock device with a full log: frame times while scrolling ten thousand messages. Reference: an empty
 * area of the same height in the same page. With `--minutes 10`: memory of the page under steady traffic.
 */
import { parseArgs } from 'node:util';
import { controlCalls, mockCalls } from '@device-center/contract';
import type { CDPSession, Page } from '@playwright/test';
import { spawnHub, unique } from '../packages/server/test/hub.ts';
import { launchBrowser, logIn, openPage } from './browser.ts';
import { at, show, stopWatching, type Watched, watch } from './frames.ts';
import { report } from './report.ts';

/** Capacity of the log. A command is two messages: request and response. */
const MESSAGES = 10_000;
const AT_ONCE = 16;
const SCROLL_FRAMES = 600;
const STEADY_MS = 50;
const MIB = 2 ** 20;

const { minutes } = parseArgs({ options: { minutes: { type: 'string', default: '0' } } }).values;

const hub = await spawnHub();
const browser = await launchBrowser();

const newMock = async (): Promise<string> => {
  const applicationId = await hub.create.application('1');
  const productId = await hub.create.product('1', { applicationId });
  return (await hub.admin.ok(mockCalls.createMockDevice, { deviceName: unique('mock'), productId })).deviceId;
};

const command = (deviceId: string, turn: number) =>
  hub.admin.ok(controlCalls.commandDeviceFunction, {
    deviceId,
    functionId: 'power',
    functionValue: String(turn % 2 === 0),
  });

/** Sends the given number of commands, a few at a time. */
const commands = async (deviceId: string, count: number): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await command(deviceId, next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

/** Scrolls to the other end and back, one step per frame. */
const scroll = (page: Page, selector: string): Promise<void> =>
  page.evaluate(
    ({ selector, frames }) =>
      new Promise<void>((resolve) => {
        const area = document.querySelector(selector);
        if (!area) throw new Error(`no ${selector}`);
        const end = area.scrollHeight - area.clientHeight;
        let frame = 0;
        const step = () => {
          const way = (2 * ++frame) / frames;
          area.scrollTop = end * Math.abs(1 - way);
          if (frame < frames) requestAnimationFrame(step);
          else resolve();
        };
        requestAnimationFrame(step);
      }),
    { selector, frames: SCROLL_FRAMES },
  );

/** An empty area next to the log, as high as all its lines together. */
const addBareArea = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const list = document.querySelector('.dc-messages-list');
    const [area, space] = [document.createElement('div'), document.createElement('div')];
    area.id = 'bare';
    Object.assign(area.style, { position: 'fixed', inset: '100px auto auto 400px', width: '600px', height: '500px' });
    Object.assign(area.style, { overflow: 'auto', background: 'black', zIndex: '1000' });
    space.style.height = `${list?.scrollHeight ?? 0}px`;
    area.append(space);
    document.body.append(area);
  });

const watched = async (page: Page, work: () => Promise<void>): Promise<Watched> => {
  await watch(page);
  await work();
  return stopWatching(page);
};

const measureScrolling = async (page: Page, deviceId: string): Promise<void> => {
  const began = performance.now();
  const arriving = await watched(page, () => commands(deviceId, MESSAGES / 2));
  const seconds = (performance.now() - began) / 1_000;
  await page.getByText(`${MESSAGES.toLocaleString('en-US')} messages`).waitFor();
  const scrolling = await watched(page, () => scroll(page, '.dc-messages-list'));
  await addBareArea(page);
  const bare = await watched(page, () => scroll(page, '#bare'));

  console.log(`${MESSAGES} messages in ${seconds.toFixed(1)} s, all of them in the log`);
  show('while they arrive', arriving);
  show('the log scrolled', scrolling);
  show('a bare area scrolled', bare);
  report({
    what: `mock device's log of ${MESSAGES} messages scrolled: 99 of 100 frames`,
    value: at(scrolling.frames, 0.99),
    unit: 'ms',
    worst: at(scrolling.frames, 1),
    reference: { name: 'a bare area', value: at(bare.frames, 0.99) },
  });
};

/** Heap size of the page after garbage collection. */
const heapOf = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / MIB;
};

const measureMemory = async (page: Page, deviceId: string): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  console.log(`online, nothing sent       ${(await heapOf(session)).toFixed(1)} MiB`);
  await commands(deviceId, MESSAGES / 2);
  const full = await heapOf(session);
  console.log(`the log full (reference)   ${full.toFixed(1)} MiB`);
  let turn = 0;
  for (let minute = 1; minute <= Number(minutes); minute++) {
    const until = performance.now() + 60_000;
    const before = turn;
    while (performance.now() < until) {
      await command(deviceId, turn++);
      await page.waitForTimeout(STEADY_MS);
    }
    const heap = await heapOf(session);
    const grown = `${heap >= full ? '+' : ''}${(heap - full).toFixed(1)}`;
    console.log(
      `minute ${String(minute).padStart(2)}, ${(turn - before) * 2} messages   ${heap.toFixed(1)} MiB   ${grown}`,
    );
  }
};

try {
  const deviceId = await newMock();
  const page = await openPage(browser);
  await logIn(page, hub.url);
  await page.goto(`${hub.url}/detail/detailMock/${deviceId}?start=1`);
  await page.getByText('Online, run by this page').waitFor();
  await (Number(minutes) > 0 ? measureMemory(page, deviceId) : measureScrolling(page, deviceId));
} finally {
  await browser.close();
  await hub.close();
}
