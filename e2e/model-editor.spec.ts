import { modelCalls, productCalls } from '@device-center/contract';
import type { Page } from '@playwright/test';
import { type Hub, PASSWORD, unique } from '../packages/server/test/hub.ts';
import { expectAccessible } from './axe.ts';
import { apply, chooseIn, panelOf, saveModel } from './models/editor.ts';
import { type Entering, enter, expect, test } from './support.ts';
import { wordsOf } from './texts.ts';

const { model, product, common } = wordsOf('en_US');

// A white picture of 2 by 2 points.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8////fwYGBgYmBgYGBgYAJAYDAwpfE0EAAAAASUVORK5CYII=',
  'base64',
);

const openModel = async (page: Page, to: Entering, productId: string) => {
  await enter(page, to, `/detail/detailProduct/${productId}?tab=model`);
  await expect(page.getByRole('region', { name: model.listTitle })).toBeVisible();
};

const codesOf = async (hub: Hub, productId: string) =>
  (await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId })).map(({ signCode }) => signCode);

const namesOf = async (hub: Hub, productId: string) =>
  (await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId })).map(
    ({ functionName }) => functionName,
  );

const rename = async (page: Page, name: string, next: string) => {
  await page.getByRole('button', { name, exact: true }).click();
  await panelOf(page).getByLabel(model.functionName).fill(next);
  await apply(page);
};

const pressSave = (page: Page) =>
  page.getByRole('region', { name: common.save }).getByRole('button', { name: common.save }).click();

test('warns the second of two concurrent editors of a model, and loses no input', async ({ page, hub, browser }) => {
  const tenancyId = await hub.create.tenancy();
  const productId = await hub.create.product(tenancyId);
  const colleague = await hub.create.user({ tenancyId, menus: [502] });
  await openModel(page, hub, productId);
  const other = await (await browser.newContext()).newPage();
  await openModel(other, { url: hub.url, username: colleague.username, password: PASSWORD }, productId);

  await rename(page, 'Power', 'Main power');
  await rename(page, 'Brightness', 'Brightness of mine');
  await rename(other, 'Scene', 'Scene of theirs');
  await rename(other, 'Brightness', 'Brightness of theirs');
  await saveModel(other, 2);

  await pressSave(page);
  const dialog = page.getByRole('dialog', { name: model.mergeTitle });
  await expect(dialog).toContainText('Scene of theirs');
  await expectAccessible(page, 'the dialog of the second');
  await dialog.getByText(model.mergeMine, { exact: true }).first().click();
  await dialog.getByRole('button', { name: model.mergeTake }).click();
  await saveModel(page, 3);
  const names = await namesOf(hub, productId);
  expect(names.slice(0, 2)).toEqual(['Main power', 'Brightness of mine']);
  expect(names).toContain('Scene of theirs');
  await other.context().close();
});

test('orders, copies, synchronizes the JSON, undoes, and confirms leaving unsaved work in the editor', async ({
  page,
  hub,
}) => {
  const productId = await hub.create.product('1');
  await openModel(page, hub, productId);
  const before = await codesOf(hub, productId);

  await page.getByRole('button', { name: /^Move "Power"/ }).press('ArrowDown');
  const second = page.getByRole('row').nth(2);
  await expect(second).toContainText('Power');
  await second.getByRole('button', { name: new RegExp(common.more) }).click();
  await page.getByRole('menuitem', { name: model.duplicate }).click();
  if (await panelOf(page).isVisible()) await apply(page);
  await expect(page.getByRole('status').filter({ hasText: '1 added' })).toBeVisible();

  await page.getByText(model.jsonView, { exact: true }).click();
  const text = page.getByRole('textbox', { name: model.jsonLabel });
  await expect(text).toContainText('brightness');
  await expectAccessible(page, 'the JSON view');
  await text.press('Control+a');
  const typed = [
    {
      signCode: 'level',
      functionName: 'Level',
      functionType: 1,
      description: '',
      functionDefinition: { accessMode: 'r', dataType: { type: 'integer', min: 5, max: 1 } },
    },
  ];
  await page.keyboard.insertText(JSON.stringify(typed));
  await expect(page.getByText('The maximum must not be below the minimum').first()).toBeVisible();
  await text.press('Control+a');
  await page.keyboard.insertText(JSON.stringify(typed).replace('"max":1', '"max":10'));
  await expect(page.getByText('The maximum must not be below the minimum')).toHaveCount(0);
  await page.getByText(model.tableView, { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Level', exact: true })).toBeVisible();

  await page.getByRole('button', { name: model.undo }).click();
  await expect(page.getByRole('button', { name: 'Brightness', exact: true })).toBeVisible();

  await page.getByRole('link', { name: wordsOf('en_US').application.listTitle }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(common.unsavedTitle);
  await question.getByRole('button', { name: common.stay }).click();
  await saveModel(page, 2);
  const [first, next, copy] = await codesOf(hub, productId);
  expect([first, next]).toEqual([before[1], before[0]]);
  expect(before).not.toContain(copy);
});

// Spec 5.66
test("shows a product's cropped picture, and its key and secret once", async ({ page, hub }) => {
  await enter(page, hub, '/add/addProduct?categoryId=std-socket');
  await page.getByLabel(product.productName).fill(unique('socket'));
  await chooseIn(page, page.locator('main'), product.class, 'Home');
  const file = page.locator('main input[type=file]');
  await file.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') });
  await expect(page.getByText(product.pictureWrongType).first()).toBeVisible();
  await file.setInputFiles({ name: 'socket.png', mimeType: 'image/png', buffer: PNG });
  const crop = page.getByRole('dialog', { name: product.pictureCrop });
  await expectAccessible(page, 'the crop dialog');
  await crop.getByRole('button', { name: common.save }).click();
  await expect(crop).toBeHidden();
  await page.getByRole('button', { name: common.submit }).click();
  const told = page.getByRole('dialog', { name: product.secretTitle });
  await expect(told).toContainText(product.secretOnce);
  await expectAccessible(page, 'the secret, once');
  await told.getByRole('button', { name: product.secretStored }).click();
  await expect(page).toHaveURL(/detailProduct\/(\w+)/);
  const productId = /detailProduct\/(\w+)/.exec(page.url())?.[1] ?? '';
  const { icon } = await hub.admin.ok(productCalls.getDeviceProductDetails, { productId });
  const picture = await fetch(hub.url + icon, { headers: { Authorization: hub.admin.token } });
  expect(picture.headers.get('content-type')).toBe('image/png');
  await expect(page.locator('main header img, main img').first()).toBeVisible();
});
