/** Frame times of the real-time log while thousands of lines arrive. Reference: the same page when idle. */
import { controlCalls, deviceCalls } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { spawnHub, unique } from '../packages/server/test/hub.ts';
import { launchBrowser, logIn, openPage } from './browser.ts';
import { at, show, stopWatching, watch } from './frames.ts';
import { report } from './report.ts';

const LINES_A_TICK = 50;
const TICK_MS = 100;
const TICKS = 150;
const LINES = LINES_A_TICK * TICKS;
const AT_REST_MS = 5_000;

const hub = await spawnHub();
const browser = await launchBrowser();
try {
  const applicationId = await hub.create.application('1');
  const productId = await hub.create.product('1', { applicationId });
  const deviceId = unique('log-');
  const { deviceSecret } = await hub.admin.ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
  const device = createDevice({ hubUrl: hub.url, productId, deviceId, secret: deviceSecret, versionNumber: '1.0.0' });
  await device.start();
  await hub.admin.ok(controlCalls.configLogSwitch, { deviceId, logSwitch: 1 });
  const page = await openPage(browser);
  await logIn(page, hub.url);
  await page.goto(`${hub.url}/detail/realTimeLog/${deviceId}`);
  await device.log(4, 'the first line');
  await page.getByText('the first line').waitFor();

  await watch(page);
  await page.waitForTimeout(AT_REST_MS);
  const rest = await stopWatching(page);

  await watch(page);
  const began = performance.now();
  const sent: Promise<void>[] = [];
  for (let tick = 0; tick < TICKS; tick++) {
    for (let line = 0; line < LINES_A_TICK; line++)
      sent.push(device.log(4, `line ${tick * LINES_A_TICK + line} of a device that has very much to say about itself`));
    await page.waitForTimeout(Math.max(0, began + (tick + 1) * TICK_MS - performance.now()));
  }
  await Promise.all(sent);
  await page.getByText(`line ${LINES - 1} of`).waitFor();
  const seconds = (performance.now() - began) / 1_000;
  const busy = await stopWatching(page);

  console.log(`${LINES} lines in ${seconds.toFixed(1)} s, all in the page's memory, the last one visible`);
  show('at rest', rest);
  show('while they arrive', busy);
  report({
    what: `real-time log, ${LINES} lines: 99 of 100 frames`,
    value: at(busy.frames, 0.99),
    unit: 'ms',
    worst: at(busy.frames, 1),
    reference: { name: 'the page at rest', value: at(rest.frames, 0.99) },
  });
  await device.stop();
} finally {
  await browser.close();
  await hub.close();
}
