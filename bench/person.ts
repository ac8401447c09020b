import type { Locator, Page } from '@playwright/test';

export type Effort = { clicks: number; fields: number; seconds: number };

const PATIENCE_MS = 60_000;

/**
 * Somebody at the screen who needs no time: what passes is what the product takes. A click is a click or a pressed key
 * combination; a field is a text typed or a file found on the disk, each as one however long it is.
 */
export const createUserDriver = (page: Page) => {
  page.setDefaultTimeout(PATIENCE_MS);
  let clicks = 0;
  let fields = 0;
  let began = performance.now();

  const click = async (target: Locator): Promise<void> => {
    await target.click();
    clicks += 1;
  };

  return {
    page,
    click,
    button: (name: string | RegExp) =>
      click(page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first()),
    menu: (name: string) =>
      click(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true })),
    fill: async (target: Locator, text: string): Promise<void> => {
      await target.fill(text);
      fields += 1;
    },
    press: async (key: string): Promise<void> => {
      await page.keyboard.press(key);
      clicks += 1;
    },
    /** The button that opens the system's dialog, and the file in it. */
    file: async (button: string, path: string): Promise<void> => {
      const opened = page.waitForEvent('filechooser');
      await click(page.getByRole('button', { name: button, exact: true }));
      await (await opened).setFiles(path);
      fields += 1;
    },
    /** What the person waits to see. */
    sees: (target: Locator): Promise<void> => target.first().waitFor(),
    /** What was done since the last time, and how long it took. */
    effort: (): Effort => {
      const spent = { clicks, fields, seconds: (performance.now() - began) / 1_000 };
      [clicks, fields, began] = [0, 0, performance.now()];
      return spent;
    },
  };
};
export type Person = ReturnType<typeof createUserDriver>;
