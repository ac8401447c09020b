import { PASSWORD } from '../packages/server/test/hub.ts';
import { axeFaults } from './axe.ts';
import {
  applyVariant,
  createFaults,
  faultsIn,
  LONG,
  languages,
  nameOf,
  type Pass,
  passesIn,
  picture,
} from './display-variant.ts';
import { watchRequests } from './requests.ts';
import { isWhole, mayOpen, roles, screensToSee } from './roles.ts';
import { openByLink, settled } from './settled.ts';
import { enter, expect, setLanguage, test } from './support.ts';
import { wordsOf } from './texts.ts';

// Independent of each other, so that both workers take part.
test.describe.configure({ mode: 'parallel' });

for (const role of roles)
  for (const language of languages) {
    // Spec 2.1-2.3, 2.5-2.16, 2.18, 2.20-2.44, 2.48, 2.49
    test(`renders every screen as ${role}, ${language}, light and dark, 1920, 1440 and 390 wide`, async ({
      page,
      hub,
      sample,
    }) => {
      // In the long form a hundred screens in six looks each: minutes on an idle machine, more on a busy one.
      test.setTimeout(1_200_000);
      const isOperator = role === roles[0];
      const faults = createFaults();
      let screen = 'login';
      let seen = 0;
      watchRequests(page, faults, () => screen);
      const inspect = async ({ variants, hasAxe }: Pass, index: number) => {
        for (const variant of variants) {
          await applyVariant(page, variant);
          const found = await faultsIn(page, variant);
          // In the short form only as the operator, whose pages have more controls.
          if (hasAxe(variant, index) && (LONG || isOperator)) {
            found.push(...(await axeFaults(page)));
            await picture(page, `${isOperator ? '' : 'tenant-'}${screen}`, variant);
          }
          faults.push(...found.map((fault) => `${screen} ${nameOf(variant)}: ${fault}`));
        }
        seen++;
      };

      const passes = passesIn(language);
      await setLanguage(page, language);
      await page.goto(hub.url);
      // Screens without a login: checked once per language without LONG.
      const beforeLogIn = LONG || isOperator ? ['/', '/validateAccount'] : [];
      for (const [index, address] of beforeLogIn.entries()) {
        screen = address === '/' ? 'login' : 'validateAccount';
        await openByLink(page, address);
        for (const pass of passes) await inspect(pass, index);
      }
      const user = isOperator ? {} : { username: sample.fewMenus.username, password: PASSWORD };
      await enter(page, { url: hub.url, language, ...user }, '/');
      const screens = screensToSee(sample);
      // A tenant's user meets the same pages in another frame: in the short form each in one language.
      const due = LONG || isOperator ? passes : passes.filter((_, turn) => turn < 2 === (language === 'zh_CN'));
      for (const pass of due) {
        const [first] = pass.variants;
        if (first) await applyVariant(page, first);
        for (const [index, [name, address]] of screens.entries()) {
          if (!pass.takes(index)) continue;
          screen = name;
          // In the long form from the address bar in one language, and in the other as a link would.
          if (LONG && language === languages[0]) await page.goto(hub.url + address);
          else await openByLink(page, address);
          await settled(page);
          if (mayOpen(address, role, sample)) await inspect(pass, index);
          else await expect(page.getByText(wordsOf(language).shell.forbiddenTitle), name).toBeVisible();
        }
      }
      expect(faults).toEqual([]);
      const least = isOperator ? 90 : 25;
      if (isWhole) expect(seen).toBeGreaterThan(LONG || isOperator ? least : least / 2);
    });
  }
