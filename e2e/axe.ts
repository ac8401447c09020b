import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { NodeResult, Result, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Within = { include: string[]; exclude?: string[] };
type Axe = { run: (context: Within, options: RunOptions) => Promise<{ violations: Result[] }> };

/** Runs axe once inside the page: the console has no frames, so one run covers all of it. */
const violationsIn = async (page: Page, context: Within, runOnly: RunOptions['runOnly']): Promise<Result[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(
    async ([within, rules]) => {
      const { axe } = window as unknown as { axe: Axe };
      // No rule in use needs the style sheets as text: do not fetch them again.
      const options: RunOptions = { runOnly: rules, resultTypes: ['violations'], elementRef: false, preload: false };
      return (await axe.run(within, options)).violations;
    },
    [context, runOnly] as const,
  );
};

const describeViolation = ({ failureSummary }: NodeResult): string => failureSummary?.replaceAll(/\s+/g, ' ') ?? '';

const seriousIn = async (page: Page, within: string): Promise<string[]> => {
  // The time columns of antd accept no keyboard input; keyboard users type the time into the field.
  const context = { include: [within], exclude: ['.ant-picker-time-panel-column'] };
  const violations = await violationsIn(page, context, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => {
      const where = nodes.map(({ html }) => html).join(' | ');
      return `axe ${id}: ${where.slice(0, 400)} (${nodes.slice(0, 1).map(describeViolation).join('')})`;
    });
};

/** Repeats the check: a transition may change a colour during the first run, a real fault is still there afterwards. */
export const axeFaults = async (page: Page, within = 'html'): Promise<string[]> => {
  let faults = await seriousIn(page, within);
  await expect
    .poll(
      async () => {
        if (faults.length > 0) faults = await seriousIn(page, within);
        return faults.length;
      },
      { timeout: 8_000, intervals: [200, 500] },
    )
    .toBe(0)
    .catch(() => undefined);
  return faults;
};

export const expectAccessible = async (page: Page, where: string): Promise<void> =>
  expect(await axeFaults(page), `axe on ${where}`).toEqual([]);

/** Elements with too little contrast to their background. */
export const lowContrastIn = async (page: Page, selector: string): Promise<string[]> => {
  const violations = await violationsIn(page, { include: [selector] }, { type: 'rule', values: ['color-contrast'] });
  return violations.flatMap(({ nodes }) => nodes.map((node) => `${node.html} ${describeViolation(node)}`));
};
