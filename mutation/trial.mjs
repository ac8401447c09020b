import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { findNode, nodeEnv } from '../scripts/lib/node.mjs';
import { atInterrupt } from '../scripts/lib/run.mjs';

/** Time limit of a test run, since a mutant may cause an endless wait: a multiple of the normal time, plus a margin. */
const TIMEOUT_FACTOR = 4;
const TIMEOUT_MARGIN_MS = 30_000;

const silent = () => {};
const logger = { debug: silent, info: silent, trace: silent, isDebugEnabled: () => false, isTraceEnabled: () => false };

/** Writes all mutants into the files; an environment variable activates one of them. */
export const plantMutants = async (copy, files) => {
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const instrumenter = new Instrumenter({ ...logger, warn: console.error, error: console.error });
  const sources = files.map((name) => ({ name, content: readFileSync(join(copy, name), 'utf8'), mutate: true }));
  const options = { ignorers: [], excludedMutations: [], plugins: null };
  const planted = await instrumenter.instrument(sources, options);
  for (const { name, content } of planted.files) {
    const way = relative(join(copy, name, '..'), join(copy, 'mutation', 'covered.mjs'));
    writeFileSync(join(copy, name), `import '${way}';\n${content}`);
  }
  return planted.mutants.map((mutant) => ({ ...mutant, original: textAt(sources, mutant) }));
};

const textAt = (sources, { fileName, location: { start, end } }) => {
  const lines = sources.find(({ name }) => name === fileName).content.split('\n');
  const chosen = lines.slice(start.line, end.line + 1);
  chosen[chosen.length - 1] = chosen.at(-1).slice(0, end.column);
  return chosen.join('\n').slice(start.column);
};

const endAll = (pids) => {
  for (const one of pids) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
};

const endTree = (pid) => {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const family = [pid];
  // The list grows during the iteration: children of children.
  for (const parent of family) for (const [child, of] of rows) if (of === parent) family.push(child);
  endAll(family);
};

/** Kills hubs that a failed test left running; their environment names the mutant. */
const endHubsOf = (mutant) => {
  const mark = `__STRYKER_ACTIVE_MUTANT__=${mutant}\0`;
  const isMarked = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  };
  endAll(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && isMarked(name))
      .map(Number),
  );
};

/** Runs one test file until its first failure. */
const runTests = (copy, test, mutant, limitMs) =>
  new Promise((done) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--no-file-parallelism', '--reporter', 'dot'];
    const env = nodeEnv(mutant === undefined ? {} : { __STRYKER_ACTIVE_MUTANT__: mutant });
    const since = performance.now();
    const child = spawn(findNode(), [...args, test], { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let late = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    const limit = setTimeout(() => {
      late = true;
      endTree(child.pid);
    }, limitMs);
    // Hubs run in their own process groups: signals of the terminal do not reach them.
    const forget = atInterrupt(() => endTree(child.pid));
    child.on('close', (code) => {
      clearTimeout(limit);
      forget();
      if (mutant !== undefined) endHubsOf(mutant);
      done({ passed: code === 0 && !late, late, output, ms: performance.now() - since });
    });
  });

/** Runs each test file without a mutant: measures its duration and which mutants it reaches. */
export const readCoverage = async (copy, tests) => {
  const folder = join(copy, 'mutation', 'covered');
  const found = [];
  for (const test of tests) {
    rmSync(folder, { recursive: true, force: true });
    const { passed, output, ms } = await runTests(copy, test, undefined, 600_000);
    if (!passed) throw new Error(`${test} fails without a mutant:\n${output}`);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const reached = new Set(files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))));
    found.push({ test, ms, reached });
  }
  return found.sort((a, b) => a.ms - b.ms);
};

/** Runs the tests that reach a mutant, fastest first: usually the first one kills it. */
const testMutant = async (copy, { id }, coverage) => {
  const reaching = coverage.filter(({ reached }) => reached.has(id));
  for (const { test, ms } of reaching) {
    const { passed, late } = await runTests(copy, test, id, TIMEOUT_FACTOR * ms + TIMEOUT_MARGIN_MS);
    if (!passed) return late ? 'Timeout' : 'Killed';
  }
  return reaching.length === 0 ? 'NoCoverage' : 'Survived';
};

/** Activates each mutant for the tests that reach it. */
export const tryMutants = async (copy, mutants, coverage, onResult) => {
  const waiting = [...mutants];
  const tried = [];
  const work = async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      tried.push({ ...mutant, status: await testMutant(copy, mutant, coverage) });
      onResult(tried.length, tried.at(-1));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return tried;
};
