import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deviceCalls } from '@device-center/contract';
import type { Download, Page } from '@playwright/test';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { type Hub, unique } from '../packages/server/test/hub.ts';
import { expectAccessible } from './axe.ts';
import { follow } from './settled.ts';
import { enter, expect, expectNoSidewaysScroll, test } from './support.ts';

// An independent QR code reader, loaded from disk.
const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

const options: ReaderOptions = { formats: ['QRCode'], tryHarder: true, maxNumberOfSymbols: 200 };
const textsIn = async (picture: Uint8Array): Promise<string[]> =>
  (await readBarcodes(new Uint8Array(picture), options)).map(({ text }) => text);

const contents = {
  Chinese: '三楼走廊灯，请扫码报修：编号 0017 号',
  JSON: '{"productId":"P1a2b3c4","deviceId":"dev:0001","tags":["a","b"],"空":{}}',
  long: Array.from({ length: 300 }, (_none, index) => 'abcdefghij KLMNOP-0123456789'[index % 28]).join(''),
  address: 'https://example.com/d?id=dev%3A0001&from=label#报修',
};

/** A picture that is dark and bright, such as a logo may be; longer than it is high. */
const logoOf = async (page: Page): Promise<Buffer> => {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 90;
    canvas.height = 60;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    for (const [index, colour] of ['#0b6477', '#e0a02b', '#15242b'].entries()) {
      context.fillStyle = colour;
      context.fillRect(index * 30, 0, 30, 60);
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(address.split(',')[1] ?? '', 'base64');
};

const bytesOf = async (download: Download): Promise<Buffer> => readFileSync(await download.path());

const save = async (page: Page, kind: 'PNG' | 'SVG') => {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `Save as ${kind}` }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await bytesOf(file) };
};

/** Width and height stand at a fixed place of every PNG. */
const sizeOfPng = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

/** The SVG file by itself, in a window without the console. */
const drawnBy = async (page: Page, svg: Buffer): Promise<Buffer> => {
  const other = await page.context().newPage();
  await other.setContent(`<body style="margin:0">${svg.toString()}</body>`);
  const picture = await other.locator('svg').screenshot();
  await other.close();
  return picture;
};

const newDevices = async (hub: Hub, count: number) => {
  const applicationId = await hub.create.application('1');
  const productId = await hub.create.product('1', { applicationId });
  const devices: { deviceId: string; deviceName: string }[] = [];
  for (let index = 0; index < count; index++) {
    const device = { deviceId: unique(`qr:${index}-`), deviceName: `走廊灯-${index}` };
    await hub.admin.ok(deviceCalls.addDevice, { ...device, productId, applicationId });
    devices.push(device);
  }
  return { productId, devices, ids: devices.map(({ deviceId }) => deviceId) };
};

// Spec 2.49
test('saves the typed content as PNG and SVG, with and without logo', async ({ page, hub }) => {
  test.setTimeout(180_000);
  const { ids } = await newDevices(hub, 1);
  const [deviceId = ''] = ids;
  await enter(page, hub, `/detail/qrCode/${deviceId}`);
  const picture = page.getByRole('img', { name: 'QR code of 走廊灯-0' });
  await expect(picture).toBeVisible();
  const content = page.getByRole('textbox', { name: 'QR content' });
  const side = page.getByRole('spinbutton', { name: 'Side' });
  const caption = page.getByRole('switch', { name: 'Caption' });

  const expectHeld = async (text: string, size: number, captioned: boolean) => {
    const png = await save(page, 'PNG');
    expect(png.name).toBe(`${deviceId.replaceAll(':', '_')}.png`);
    const [width, height = 0] = sizeOfPng(png.bytes);
    expect(width).toBe(size);
    if (captioned) expect(height).toBeGreaterThan(size);
    else expect(height).toBe(size);
    expect(await textsIn(png.bytes), 'PNG').toEqual([text]);
    const svg = await save(page, 'SVG');
    expect(svg.name).toBe(`${deviceId.replaceAll(':', '_')}.svg`);
    expect(svg.bytes.toString()).toContain(`width="${size}" height="${height}"`);
    expect(await textsIn(await drawnBy(page, svg.bytes)), 'SVG').toEqual([text]);
  };

  await expectHeld(deviceId, 320, true);
  await caption.click();
  for (const [name, text] of Object.entries(contents))
    await test.step(name, async () => {
      await content.fill(text);
      await expectHeld(text, 320, false);
    });

  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await logoOf(page) });
  await expect(picture.locator('image')).toHaveCount(1);
  await expect(page.getByText('Use level H')).toBeVisible();
  for (const [name, text] of Object.entries(contents))
    await test.step(`${name} with a logo, level M`, async () => {
      await content.fill(text);
      await expectHeld(text, 320, false);
    });
  await page.getByRole('button', { name: 'Use level H' }).click();
  await caption.click();
  await side.fill('1000');
  for (const [name, text] of Object.entries(contents))
    await test.step(`${name} with logo and caption, level H`, async () => {
      await content.fill(text);
      await expectHeld(text, 1000, true);
    });
});

test('rejects a logo that is no picture and keeps the code', async ({ page, hub }) => {
  const { ids } = await newDevices(hub, 1);
  await enter(page, hub, `/detail/qrCode/${ids[0]}`);
  const picture = page.getByRole('img', { name: 'QR code of 走廊灯-0' });
  await expect(picture).toBeVisible();
  const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg xmlns="…"/>') };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByText('The logo must be a jpg or png file.')).toBeVisible();
  await expect(picture.locator('image')).toHaveCount(0);
  expect(await textsIn((await save(page, 'PNG')).bytes)).toEqual([ids[0]]);
});

test('prints chosen devices as labels, each complete and readable', async ({ page, hub }) => {
  test.setTimeout(120_000);
  const { productId, ids } = await newDevices(hub, 20);
  await enter(page, hub, `/productConfig/deviceList?productId=${productId}&pageSize=50`);
  await expect(page.getByText('走廊灯-19')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'QR codes', exact: true }).click();
  await expect(page.getByText('20 labels')).toBeVisible();
  await page.getByRole('textbox', { name: 'QR content' }).fill('label/{deviceId}');
  await expectAccessible(page, 'label sheet');
  const wanted = ids.map((id) => `label/${id}`).sort();

  const labels = page.locator('body > .dc-print-sheet > .dc-label');
  await expect(labels).toHaveCount(20);
  await page.emulateMedia({ media: 'print' });
  await expect(labels.first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print labels' })).toBeHidden();
  const paper = await page.screenshot({ fullPage: true });
  expect((await textsIn(paper)).sort()).toEqual(wanted);

  // Five rows of 40 mm fit on a page. Of 60 mm there are seven: three and a half fit, so three are printed on each.
  const pagesPrinted = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  expect(await pagesPrinted()).toHaveLength(1);
  await page.emulateMedia({ media: null });
  await page.getByText('60 mm').click();
  expect(await pagesPrinted()).toHaveLength(3);
});

test('fits the page on a phone, and reports an unknown device', async ({ page, hub }) => {
  const { ids } = await newDevices(hub, 2);
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, hub, `/detail/qrCode/${ids[0]}?ids=${ids.join(',')},nobody`);
  await expect(page.getByText('2 labels')).toBeVisible();
  await expect(page.getByText('nobody', { exact: true })).toBeVisible();
  await expectNoSidewaysScroll(page, 'label sheet');
  await expectAccessible(page, 'label sheet on a phone');
  await page.getByText('Single code').click();
  await expect(page.getByRole('img', { name: 'QR code of 走廊灯-0' })).toBeVisible();
  await expectNoSidewaysScroll(page, 'one code');
  await expectAccessible(page, 'one code on a phone');
  await follow(page, '/detail/qrCode/nobody');
  await expect(page.getByText('Device does not exist').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save as PNG' })).toBeHidden();
});
