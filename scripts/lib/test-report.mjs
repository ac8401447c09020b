import { existsSync, readFileSync } from 'node:fs';

const readJson = (file) => {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
};

const SHOWN = 600;
const oneFailure = (name, message = '') => `${name}\n${message.slice(0, SHOWN)}`;

const vitestFailures = ({ testResults }) =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [oneFailure(name, message)];
    return failed.map(({ fullName, failureMessages }) => oneFailure(`${name} › ${fullName}`, failureMessages?.[0]));
  });

const playwrightFailures = ({ suites = [] }) =>
  suites.flatMap((suite) => [
    ...playwrightFailures(suite),
    ...(suite.specs ?? [])
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => {
        const results = tests.flatMap((test) => test.results);
        return oneFailure(`${file} › ${title}`, results.find(({ error }) => error)?.error.message);
      }),
  ]);

/** A runner that failed without a failed test (a file that does not load, a stray rejection) still counts as a failure. */
const withExit = ({ passed, failed, failures }, code) => ({
  passed,
  failed: code !== 0 && failed === 0 ? 1 : failed,
  failures,
});

export const countVitest = (file, code) => {
  const report = readJson(file);
  if (!report) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0);
  const failed = report.numFailedTests + unloaded.length;
  return withExit({ passed: report.numPassedTests, failed, failures: vitestFailures(report) }, code);
};

export const countPlaywright = (file, code) => {
  const report = readJson(file);
  if (!report) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky } = report.stats;
  return withExit({ passed: expected, failed: unexpected + flaky, failures: playwrightFailures(report) }, code);
};

/** What failed once more, in short: the place where it happened is thousands of lines up. The table of stages, and as the very last line how many tests passed and failed. */
export const printSummary = (results) => {
  const row = (name, ...cells) => `${name.padEnd(10)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  for (const { name, failures = [] } of results)
    for (const failure of failures) console.log(`\nFAILED (${name}) ${failure}`);
  console.log(`\n${row('stage', 'seconds', 'cpu', 'passed', 'failed')}`);
  for (const { name, seconds, cpu, passed, failed, note } of results) {
    console.log(`${row(name, seconds.toFixed(1), cpu.toFixed(0), passed, failed)}${note ? `  ${note}` : ''}`);
  }
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
};

/** Of several runs in one stage. */
export const sumCounts = (counts) => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  failures: counts.flatMap(({ failures = [] }) => failures),
});

const TICKS_PER_SECOND = 100;

/** What this process and its ended children have used of the processors. 0 where the system does not say it like Linux. */
export const cpuSeconds = () => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
};
