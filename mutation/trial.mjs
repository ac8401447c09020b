import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { findNode, nodeEnv } from '../scripts/lib/node.mjs';
import { atInterrupt } from '../scripts/lib/run.mjs';

/** A change may make something wait for ever. */
const SLOWEST = 4;
const SLOWEST_MORE_MS = 30_000;

const silent = () => {};
const logger = { debug: silent, info: silent, trace: silent, isDebugEnabled: () => false, isTraceEnabled: () => false };

/** Writes all changes of the files into them, each behind a switch that the environment turns. */
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
      // It has ended by itself.
    }
  }
};

const endTree = (pid) => {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const family = [pid];
  // Grows while it is walked: children of children.
  for (const parent of family) for (const [child, of] of rows) if (of === parent) family.push(child);
  endAll(family);
};

/** A test that fails may leave its hubs behind. They know which change they were started with. */
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

/** Runs one test file until something in it fails. */
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
    // Hubs are groups of their own: no signal of the terminal reaches them.
    const forget = atInterrupt(() => endTree(child.pid));
    child.on('close', (code) => {
      clearTimeout(limit);
      forget();
      if (mutant !== undefined) endHubsOf(mutant);
      done({ passed: code === 0 && !late, late, output, ms: performance.now() - since });
    });
  });

/** Each test file by itself, unchanged: how long it takes, and which changes it reaches. */
export const readCoverage = async (copy, tests) => {
  const folder = join(copy, 'mutation', 'covered');
  const found = [];
  for (const test of tests) {
    rmSync(folder, { recursive: true, force: true });
    const { passed, output, ms } = await runTests(copy, test, undefined, 600_000);
    if (!passed) throw new Error(`${test} fails where nothing is changed:\n${output}`);
    const files = existsSync(folder) ? readdirSync(folder) : [];
    const reached = new Set(files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))));
    found.push({ test, ms, reached });
  }
  return found.sort((a, b) => a.ms - b.ms);
};

/** One by one, the quickest first: most changes are noticed by the first that reaches them. */
const judge = async (copy, { id }, coverage) => {
  const able = coverage.filter(({ reached }) => reached.has(id));
  for (const { test, ms } of able) {
    const { passed, late } = await runTests(copy, test, id, SLOWEST * ms + SLOWEST_MORE_MS);
    if (!passed) return late ? 'Timeout' : 'Killed';
  }
  return able.length === 0 ? 'NoCoverage' : 'Survived';
};

/** Turns each change on, for the tests that reach it. */
export const tryMutants = async (copy, mutants, coverage, tell) => {
  const waiting = [...mutants];
  const tried = [];
  const work = async () => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      tried.push({ ...mutant, status: await judge(copy, mutant, coverage) });
      tell(tried.length, tried.at(-1));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return tried;
};
