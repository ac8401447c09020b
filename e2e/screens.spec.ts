import { ADMIN_PASSWORD, PASSWORD } from '../packages/server/test/hub.ts';
import { axeFaults } from './axe.ts';
import { createFaults, dress, faultsIn, type Look, languages, nameOf, picture, schemes, widths } from './look.ts';
import { watchRequests } from './requests.ts';
import { isWhole, mayOpen, roles, screensToSee } from './roles.ts';
import { openByLink, settled } from './screens.ts';
import { expect, type Language, logIn, speak, test } from './support.ts';
import { wordsOf } from './texts.ts';

// Each on a worker of its own, with a hub of its own.
test.describe.configure({ mode: 'parallel' });
// Every fault is told in words; the film of a thousand looks would cost more than they do.
test.use({ trace: 'off' });

/** All twelve looks of every screen: `npm run test:long`. */
const LONG = process.env.TEST_LONG === '1' || process.env.SCREENS === 'all';

/**
 * Else six of the twelve, in turn: each screen in every width in both languages, in every width in both themes, and in
 * both themes in both languages.
 */
const looksOf = (language: Language, index: number): Look[] =>
  widths.flatMap((width, place) => {
    const turn = (index + place + Number(language === 'en_US')) % 2;
    return schemes.filter((_, scheme) => LONG || scheme === turn).map((scheme) => ({ language, scheme, width }));
  });

/** Contrast and names differ by theme and by layout, of which the two wide ones have the same. */
const hasAxe = ({ width }: Look): boolean => process.env.SCREENS === 'all' || width !== 1920;

for (const role of roles)
  for (const language of languages) {
    test(`every screen as ${role}, ${language}, light and dark, 1920, 1440 and 390 wide`, async ({
      page,
      hub,
      sample,
    }) => {
      // A hundred screens in three or six looks each: minutes on an idle machine, more on a busy one.
      test.setTimeout(LONG ? 3_600_000 : 1_200_000);
      const faults = createFaults();
      let screen = 'login';
      let seen = 0;
      watchRequests(page, faults, () => screen);
      const inspect = async () => {
        await settled(page);
        for (const look of looksOf(language, seen)) {
          await dress(page, look);
          const found = await faultsIn(page, look);
          if (hasAxe(look)) found.push(...(await axeFaults(page)));
          faults.push(...found.map((fault) => `${screen} ${nameOf(look)}: ${fault}`));
          if (hasAxe(look)) await picture(page, `${role === roles[0] ? '' : 'tenant-'}${screen}`, look);
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
