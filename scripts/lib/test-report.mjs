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

/** A runner that fails without a failed test (load error, unhandled rejection) counts as one failure. */
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

/** Prints a summary of failures, the table of stages, and as the last line the number of passed and failed tests. */
export const printSummary = (results) => {
  const row = (name, ...cells) => `${name.padEnd(10)}${cells.map((cell) => String(cell).padStart(9)).join('')}`;
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  for (const { name, failures = [] } of results)
    for (const failure of failures) console.log(`\nFAILED (${name}) ${failure}`);
  console.log(`\n${row('stage', 'seconds', 'cpu', 'stolen', 'passed', 'failed')}`);
  for (const { name, seconds, cpu, stolen, passed, failed, note } of results) {
    const times = [seconds.toFixed(1), cpu.toFixed(0), stolen.toFixed(0)];
    console.log(`${row(name, ...times, passed, failed)}${note ? `  ${note}` : ''}`);
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

/**
 * Busy and stolen time of all processors, in seconds. Measures the whole machine, since hubs and browsers run in other
 * process groups than the runner's children. 0 on systems other than Linux.
 */
export const processorSeconds = () => {
  try {
    const [user, nice, system, , , irq, softirq, stolen] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]
      .split(/\s+/)
      .slice(1)
      .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
    return { cpu: user + nice + system + irq + softirq, stolen };
  } catch {
    return { cpu: 0, stolen: 0 };
  }
};
