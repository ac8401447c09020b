import { readFileSync } from 'node:fs';
import { bareFunction, modelCalls, productCalls } from '@device-center/contract';
import type { Page } from '@playwright/test';
import { type Hub, unique } from '../packages/server/test/hub.ts';
import { expectAccessible } from './axe.ts';
import { apply, chooseIn, importFile, panelOf, saveModel, startFunction } from './models/editor.ts';
import { tslOfSixty } from './models/tsl-file.ts';
import { enter, expect, expectToast, test } from './support.ts';
import { wordsOf } from './texts.ts';

const { model, product, category, common } = wordsOf('en_US');

const functionsOf = async (hub: Hub, productId: string) => {
  const functions = await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
  return functions.map((entry) => bareFunction(entry as never));
};

const submitForm = (page: Page) => page.getByRole('button', { name: common.submit }).click();

/** One property of each data type, typed in by hand. */
const addOneOfEach = async (page: Page) => {
  const start = (name: string) => startFunction(page, model.addProperty, name);
  const limits = async (kind: 'integer' | 'long' | 'double', min: string, max: string) => {
    const panel = await start(`A ${kind}`);
    await chooseIn(page, panel, model.dataType, model[kind]);
    await panel.getByLabel(model.min).fill(min);
    await panel.getByLabel(model.max).fill(max);
    await panel.getByLabel(model.unit).fill('kWh');
    await apply(page);
  };
  await limits('integer', '-5', '100');
  await limits('long', '0', '9223372036854775807');
  await limits('double', '0.00', '99.50');

  let panel = await start('An enum');
  await chooseIn(page, panel, model.dataType, model.enum);
  await panel.getByRole('button', { name: model.pasteItems }).click();
  await panel.getByLabel(model.pasteLabel).fill('0 Low\n1 High');
  await panel.getByRole('button', { name: model.pasteAdd }).click();
  await apply(page);

  panel = await start('A boolean');
  await chooseIn(page, panel, model.dataType, model.boolean);
  await panel.getByLabel(model.trueText).fill('On');
  await apply(page);

  panel = await start('A string');
  await chooseIn(page, panel, model.dataType, model.string);
  await panel.getByLabel(model.length).fill('32');
  await apply(page);

  panel = await start('An object');
  await chooseIn(page, panel, model.dataType, model.json);
  const fields = panel.getByRole('group', { name: model.fields });
  await fields.getByRole('textbox', { name: model.name, exact: true }).fill('Depth');
  await apply(page);

  panel = await start('An array');
  await chooseIn(page, panel, model.dataType, model.array);
  await panel.getByLabel(model.count).fill('4');
  await apply(page);
};

const KINDS = ['integer', 'long', 'double', 'enum', 'boolean', 'string', 'json', 'array'];

/** From the address bar: a toast that the last page showed is not taken for one of the next. */
const openProduct = async (page: Page, hub: Hub, productId: string, tab: string) => {
  await page.goto(`${hub.url}/detail/detailProduct/${productId}?tab=${tab}`);
  await expect(page.getByRole('tab', { selected: true })).toBeVisible();
};

test('creates a category and a product, and moves its model out and back in', async ({ page, hub }) => {
  test.setTimeout(300_000);
  await enter(page, hub, '/add/addCategory');
  const name = unique('station-');
  await page.getByLabel(category.categoryName).fill(name);
  await submitForm(page);
  await page.getByRole('dialog').getByRole('button', { name: common.ok }).click();
  await expect(page).toHaveURL(/\/detail\/detailCategory\//);

  await addOneOfEach(page);
  await expectAccessible(page, 'the category and its functions');
  await saveModel(page, 2);

  await page.getByRole('button', { name: category.createProduct }).click();
  const productName = unique('logger');
  await page.getByLabel(product.productName).fill(productName);
  await chooseIn(page, page.locator('main'), product.class, 'Industry');
  await submitForm(page);
  await expect(page.getByText(product.secretOnce)).toBeVisible();
  await page.getByRole('button', { name: product.secretStored }).click();
  await expect(page).toHaveURL(/\/detail\/detailProduct\/(\w+)/);
  const productId = /detailProduct\/(\w+)/.exec(page.url())?.[1] ?? '';
  const inherited = await functionsOf(hub, productId);
  expect(
    inherited.map(
      ({ functionDefinition }) => (functionDefinition as never as { dataType: { type: string } }).dataType.type,
    ),
  ).toEqual(KINDS);

  // Standard functions in bulk.
  await openProduct(page, hub, productId, 'model');
  await page.getByRole('button', { name: model.addStandard }).first().click();
  const picker = page.getByRole('dialog');
  await picker.getByRole('combobox', { name: model.pickCategory }).click();
  await page.keyboard.type('Lighting');
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: 'Lighting' }).first().click();
  await picker.getByText(model.pickSelectAll).click();
  await expectAccessible(page, 'the picker of standard functions');
  await picker.getByRole('button', { name: model.pickAdd }).click();
  await saveModel(page, 2);
  expect(await functionsOf(hub, productId)).toHaveLength(16);

  // A narrower range is reported before saving.
  await page.getByRole('button', { name: 'A integer', exact: true }).click();
  const panel = panelOf(page);
  await panel.getByLabel(model.max).fill('50');
  await apply(page);
  await saveModel(page, 3, true);

  // A TSL file with sixty functions.
  await importFile(page, tslOfSixty(), 'merge', false);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(model.importCount.replace('{{count}}', '60'));
  await expect(dialog).toContainText('60 added, 0 changed, 0 removed');
  await dialog.getByRole('button', { name: model.importTake }).click();
  await saveModel(page, 4);
  expect(await functionsOf(hub, productId)).toHaveLength(76);

  // What changed, and back.
  await openProduct(page, hub, productId, 'versions');
  await page.getByLabel(product.versionSelect.replace('{{version}}', '2')).click();
  await page.getByLabel(product.versionSelect.replace('{{version}}', '3')).click();
  await expect(page.getByText(model.breakNarrowed).first()).toBeVisible();
  await expectAccessible(page, 'the versions of a model');
  const row = page.getByRole('row', { name: product.version.replace('{{version}}', '2') });
  await row.getByRole('button', { name: new RegExp(common.more) }).click();
  await page.getByRole('menuitem', { name: product.versionRestore }).click();
  await page.getByRole('dialog').getByRole('button', { name: product.restoreConfirm, exact: true }).click();
  await expectToast(page, product.restored.replace('{{version}}', '5'));
  const restored = await functionsOf(hub, productId);
  expect(restored).toHaveLength(16);

  // The export, imported into a second product, is the same model.
  await openProduct(page, hub, productId, 'model');
  await page.getByRole('button', { name: model.export, exact: true }).first().click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: model.exportJson }).click();
  const exported = readFileSync(await (await downloading).path(), 'utf8');
  const second = await hub.admin.ok(productCalls.addDeviceProduct, {
    productName: unique('second'),
    categoryId: 'std-camera',
    nodeType: 1,
    protocolId: 3,
    classId: 8,
  });
  await openProduct(page, hub, second.productId, 'model');
  await importFile(page, exported, 'replace');
  await saveModel(page, 2, true);
  expect(await functionsOf(hub, second.productId)).toEqual(restored);
});
