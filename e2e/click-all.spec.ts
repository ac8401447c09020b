import { personalCalls } from '@device-center/contract';
import { PASSWORD } from '../packages/server/test/hub.ts';
import { createCrawl } from './crawl.ts';
import { allVariants, applyVariant, createFaults, type DisplayVariant, LONG } from './display-variant.ts';
import { watchTimers } from './due.ts';
import { watchRequests } from './requests.ts';
import { isWhole, mayOpen, type Role, roles, screensToSee } from './roles.ts';
import { settled } from './settled.ts';
import { enter, expect, test, watchConsole } from './support.ts';

// In the long form each on a worker of its own, with a hub of its own: what is pressed there leaves its traces in it.
test.describe.configure({ mode: 'parallel' });
// Not with '' in the short form: any use of the option has workers, and so hubs and browsers, of its own.
if (LONG) test.use({ purpose: 'pressing' });

/** All of it takes the better part of an hour: `npm run test:long`. Else one list. */
const FEW = ['applyList'];
const isPressed = (name: string): boolean => LONG || !isWhole || FEW.includes(name);
const PARTS = LONG && isWhole ? 4 : 1;
const SHELL = 'header, nav, main';
/** The frame is the same on every screen: on these it is pressed too, in each of the three widths. */
const WITH_SHELL = ['home', 'homeMonths', 'homeGuide', 'deviceList', 'versionList', 'personCenter'];

/** Consecutive variants differ in language, theme and width; twelve screens cover all variants. */
const lookOf = (index: number): DisplayVariant => allVariants[(index * 5) % allVariants.length] as DisplayVariant;
const rounds = process.env.SCREENS === 'all' ? allVariants.length : 1;

type Walked = { role: Role; part: number };
const walks: Walked[] = Array.from({ length: PARTS }, (_, part) => ({ role: roles[0], part }));
// The pages of a tenant's user are those of the operator in another frame.
if (LONG || !isWhole) walks.push({ role: roles[1], part: 0 });

for (const { role, part } of walks)
  test(`clicks every control as ${role}, part ${part + 1}`, async ({ page, hub, sample, context }) => {
    test.setTimeout(1_200_000 * rounds);
    const faults = createFaults();
    let screen = 'log-in';
    const { crawl, counts, doing } = createCrawl({ page, url: hub.url, faults });
    watchRequests(
      page,
      faults,
      () => screen,
      () => `${screen} ${doing()}`,
    );
    watchConsole(page, faults, () => `${screen} ${doing()}`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await watchTimers(page);
    await page.addInitScript(() => {
      window.print = () => undefined;
    });
    page.on('filechooser', () => undefined);
    context.on('page', (tab) => void tab.close());
    const user = role === roles[0] ? {} : { username: sample.fewMenus.username, password: PASSWORD };
    await enter(page, { url: hub.url, language: 'zh_CN', ...user }, '/');
    await settled(page);

    const screens = screensToSee(sample)
      .filter(([, address]) => mayOpen(address, role, sample))
      .map(([name, address], index) => ({ name, address, index }))
      .filter(({ name }) => isPressed(name));
    const length = Math.ceil(screens.length / (role === roles[0] ? PARTS : 1));
    for (let round = 0; round < rounds; round++)
      for (const { name, address, index } of screens.slice(part * length, (part + 1) * length)) {
        screen = name;
        const variant = lookOf(index + round);
        await applyVariant(page, variant);
        await page.evaluate((language) => localStorage.setItem('language', language), variant.language);
        await crawl({ screen: name, address, variant, surface: WITH_SHELL.includes(name) ? SHELL : 'main' });
      }
    await hub.admin.ok(personalCalls.savePreferences, { preferences: {} }, { as: 'json' });

    const sums = [...counts.values()];
    const total = (what: 'pressed' | 'opened') => sums.reduce((sum, one) => sum + one[what], 0);
    console.log(
      `${role}, part ${part + 1}: ${sums.length} screens, ${total('pressed')} pressed, ${total('opened')} layers opened`,
    );
    console.log([...counts].map(([name, one]) => `${name} ${one.pressed}/${one.opened}`).join(', '));
    expect(faults).toEqual([]);
    // A walk that sees no buttons any more would find no faults either.
    expect([...counts].filter(([name, one]) => one.pressed === 0 && /(List|Add|Edit)$/.test(name))).toEqual([]);
    if (isWhole) expect(total('opened')).toBeGreaterThan(LONG ? 30 : 5);
  });
