import type { Locator, Page } from '@playwright/test';
import { expect, expectToast } from '../support.ts';
import { wordsOf } from '../texts.ts';

const { model, common } = wordsOf('en_US');

export const panelOf = (page: Page): Locator => page.locator('.ant-drawer-content-wrapper:visible').last();

export const chooseIn = async (page: Page, place: Locator, label: string, option: string) => {
  await place.getByRole('combobox', { name: new RegExp(`${label}$`) }).click();
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: new RegExp(`^${option}$`) })
    .click();
};

/** Opens the panel of a new function and enters its name. */
export const startFunction = async (page: Page, kind: string, name: string): Promise<Locator> => {
  await page.getByRole('button', { name: model.add }).first().click();
  await page.getByRole('menuitem', { name: kind }).click();
  const panel = panelOf(page);
  await panel.getByLabel(model.functionName).fill(name);
  return panel;
};

export const apply = async (page: Page) => {
  const panel = panelOf(page);
  await panel.getByRole('button', { name: model.apply }).click();
  await expect(panel).toBeHidden();
};

/** Saves the draft, and confirms when it is a breaking change. */
export const saveModel = async (page: Page, version: number, breaks = false) => {
  await page.getByRole('region', { name: common.save }).getByRole('button', { name: common.save }).click();
  if (breaks) await page.getByRole('dialog').getByRole('button', { name: model.saveAnyway }).click();
  await expectToast(page, model.saved.replace('{{version}}', String(version)));
  await expect(page.getByRole('region', { name: common.save })).toBeHidden();
};

export const importFile = async (page: Page, text: string, mode: 'replace' | 'merge', take = true) => {
  await page.getByRole('button', { name: model.import, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  const file = { name: 'model.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByText(mode === 'replace' ? model.importReplace : model.importMerge).click();
  if (!take) return;
  await dialog.getByRole('button', { name: model.importTake }).click();
  await expect(dialog).toBeHidden();
};
