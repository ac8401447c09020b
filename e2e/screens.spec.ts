import { ADMIN_PASSWORD, PASSWORD } from '../packages/server/test/hub.ts';
import { axeFaults } from './axe.ts';
import {
  createFaults,
  dress,
  faultsIn,
  type Look,
  languages,
  nameOf,
  PHONE,
  picture,
  schemes,
  widths,
} from './look.ts';
import { watchRequests } from './requests.ts';
import { isWhole, mayOpen, roles, screensToSee } from './roles.ts';
import { openByLink, settled } from './screens.ts';
import { expect, type Language, logIn, speak, test } from './support.ts';
import { wordsOf } from './texts.ts';

// Each on a worker of its own, with a hub of its own.
test.describe.configure({ mode: 'parallel' });
// Every fault is told in words; the film of a thousand looks would cost more than they do.
test.use({ trace: 'off' });

/** Contrast and names differ by theme and by layout, not by language: each of the four is seen once, in turn. */
const hasAxe = ({ language, scheme, width }: Look, index: number): boolean => {
  if (process.env.SCREENS === 'all') return true;
  if (width === 1920) return false;
  const turn = (index + Number(language === 'en_US') + Number(width === PHONE)) % 2;
  return schemes[turn] === scheme;
};

const looksIn = (language: Language): Look[] =>
  widths.flatMap((width) => schemes.map((scheme) => ({ language, scheme, width })));

for (const role of roles)
  for (const language of languages) {
    test(`every screen as ${role}, ${language}, light and dark, 1920, 1440 and 390 wide`, async ({
      page,
      hub,
      sample,
    }) => {
      // A hundred screens in six looks each: minutes on an idle machine, more on a busy one.
      test.setTimeout(1_200_000);
      const faults = createFaults();
      let screen = 'login';
      let seen = 0;
      watchRequests(page, faults, () => screen);
      const inspect = async () => {
        await settled(page);
        for (const look of looksIn(language)) {
          await dress(page, look);
          const found = await faultsIn(page, look);
          if (hasAxe(look, seen)) found.push(...(await axeFaults(page)));
          faults.push(...found.map((fault) => `${screen} ${nameOf(look)}: ${fault}`));
          if (hasAxe(look, seen)) await picture(page, `${role === roles[0] ? '' : 'tenant-'}${screen}`, look);
        }
        seen++;
      };

      await speak(page, language);
      await page.goto(hub.url);
      await inspect();
      screen = 'validateAccount';
      await page.goto(`${hub.url}/validateAccount`);
      await inspect();
      if (role === roles[0]) await logIn(page, hub.url, 'admin', ADMIN_PASSWORD);
      else await logIn(page, hub.url, sample.fewMenus.username, PASSWORD);
      await settled(page);
      for (const [name, address] of screensToSee(sample)) {
        screen = name;
        // From the address bar in one language, and in the other as a link would.
        if (language === languages[0]) await page.goto(hub.url + address);
        else await openByLink(page, address);
        if (mayOpen(address, role, sample)) await inspect();
        else await expect(page.getByText(wordsOf(language).shell.forbiddenTitle), name).toBeVisible();
      }
      expect(faults).toEqual([]);
      if (isWhole) expect(seen).toBeGreaterThan(role === roles[0] ? 90 : 25);
    });
  }
