import { existsSync, readFileSync } from 'node:fs';

const readJson = (file) => {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
};

/** A runner that failed without a failed test (a file that does not load, a stray rejection) still counts as a failure. */
const withExit = ({ passed, failed }, code) => ({ passed, failed: code !== 0 && failed === 0 ? 1 : failed });

export const countVitest = (file, code) => {
  const report = readJson(file);
  if (!report) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0);
  return withExit({ passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }, code);
};

export const countPlaywright = (file, code) => {
  const report = readJson(file);
  if (!report) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = report.stats;
  return withExit({ passed: expected, failed: unexpected + flaky }, code);
};

/** The table of stages, and as the very last line how many tests passed and failed. */
export const printSummary = (results) => {
  const row = (name, ...cells) => `${name.padEnd(10)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  console.log(`\n${row('stage', 'seconds', 'passed', 'failed')}`);
  for (const { name, seconds, passed, failed, note } of results) {
    console.log(`${row(name, seconds.toFixed(1), passed, failed)}${note ? `  ${note}` : ''}`);
  }
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
};
