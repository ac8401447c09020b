import { personalCalls } from '@device-center/contract';
import { PASSWORD } from '../packages/server/test/hub.ts';
import { expectAccessible } from './axe.ts';
import { EXTERNAL_LINK, enter, expect, test } from './support.ts';
import { wordsOf } from './texts.ts';

const words = wordsOf('en_US');
const { personal, common } = words;

// A white picture of 2 by 2 points.
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8////fwYGBgYmBgYGBgYAJAYDAwpfE0EAAAAASUVORK5CYII=',
  'base64',
);

// Spec 1.20, 2.20, 2.65, 5.65, 7.8
test('crops, stores and shows an avatar, and rejects a file that is no picture', async ({ page, hub }) => {
  const user = await hub.create.user({ tenancyId: await hub.create.tenancy() });
  await enter(page, { url: hub.url, username: user.username, password: PASSWORD }, '/person/personCenter');
  const file = page.locator('input[type=file]');
  await file.setInputFiles({
    name: 'picture.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  });
  await expect(page.getByText(personal.avatarWrongType).first()).toBeVisible();

  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG });
  const dialog = page.getByRole('dialog', { name: personal.avatarCrop });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'the crop dialog');
  await dialog.getByRole('button', { name: common.save }).click();
  await expect(page.getByText(personal.avatarSaved)).toBeVisible();
  await expect(page.getByRole('img', { name: personal.avatar })).toBeVisible();
  await page.reload();
  await expect(page.locator('.dc-topbar img')).toBeVisible();
  const { image } = await user.ok(personalCalls.getPersonalMessage, {});
  const answer = await fetch(hub.url + image, { headers: { Authorization: user.token } });
  expect(answer.headers.get('content-type')).toBe('image/png');
});

// Spec 2.67, 7.18
test('changes the e-mail only after the current one is verified', async ({ page, hub }) => {
  const user = await hub.create.user({ tenancyId: await hub.create.tenancy() });
  const next = `new-${user.email}`;
  await enter(page, { url: hub.url, username: user.username, password: PASSWORD }, '/person/updateEmail');
  const typeCode = async (code: string) => {
    await page.getByLabel(common.codeDigit.replace('{{index}}', '1')).last().click();
    await page.keyboard.type(code);
  };
  await page.getByRole('button', { name: personal.sendCode }).click();
  await typeCode(await hub.mailbox.readCode(user.email));
  await page.getByRole('button', { name: personal.next }).click();
  await page.getByLabel(personal.newEmail, { exact: true }).fill(next);
  await page.getByLabel(personal.repeatEmail, { exact: true }).fill(next);
  await page.getByRole('button', { name: personal.sendCode }).click();
  await typeCode(await hub.mailbox.readCode(next));
  await page.getByRole('button', { name: personal.bind, exact: true }).click();
  await expect(page).toHaveURL(/personCenter/);
  expect((await user.ok(personalCalls.getPersonalMessage, {})).email).toBe(next);
  expect(await page.evaluate(() => localStorage.getItem('email'))).toBe(next);
});

// Spec 2.59
test('opens external menu entries in a new tab', async ({ page, hub }) => {
  const user = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [302] });
  await enter(page, { url: hub.url, username: user.username, password: PASSWORD }, '/');
  const link = page.getByRole('link', { name: new RegExp(EXTERNAL_LINK.name.en_US) });
  await expect(link).toHaveAttribute('href', EXTERNAL_LINK.url);
  await expect(link).toHaveAttribute('target', '_blank');
});
