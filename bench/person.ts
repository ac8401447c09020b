import type { Locator, Page } from '@playwright/test';

export type Effort = { clicks: number; fields: number; seconds: number };

const PATIENCE_MS = 60_000;

/**
 * A user without reaction time: all elapsed time is the product's. A click is a click or a key combination; a field is a
 * typed text or a chosen file, each counted once regardless of length.
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
    /** Clicks the button that opens the file dialog, and chooses the file. */
    file: async (button: string, path: string): Promise<void> => {
      const opened = page.waitForEvent('filechooser');
      await click(page.getByRole('button', { name: button, exact: true }));
      await (await opened).setFiles(path);
      fields += 1;
    },
    /** Waits until the element is visible. */
    sees: (target: Locator): Promise<void> => target.first().waitFor(),
    /** Returns clicks, fields and elapsed time since the last call. */
    effort: (): Effort => {
      const spent = { clicks, fields, seconds: (performance.now() - began) / 1_000 };
      [clicks, fields, began] = [0, 0, performance.now()];
      return spent;
    },
  };
};
export type Person = ReturnType<typeof createUserDriver>;
