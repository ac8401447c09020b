// Type check: folders with the same compiler options form one program, so that shared files are checked once.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findNode, nodeEnv } from './node.mjs';
import { inRoot } from './root.mjs';
import { run } from './run.mjs';

const configOf = (folder) => inRoot(folder, 'tsconfig.json');

const subfolders = (folder) =>
  readdirSync(inRoot(folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);

/** Every folder with a tsconfig.json: packages, parts of packages, and the folders beside them. */
export const typedFolders = () => {
  const packages = subfolders('packages');
  return [...packages, ...packages.flatMap(subfolders), 'e2e', 'bench', 'scripts'].filter((folder) =>
    existsSync(configOf(folder)),
  );
};

/** The programs to check: their folders, and the files that these name. */
export const programs = () => {
  const byOptions = new Map();
  for (const folder of typedFolders()) {
    const { include, extends: base, compilerOptions = {} } = JSON.parse(readFileSync(configOf(folder), 'utf8'));
    const options = Object.entries(compilerOptions).sort(([one], [other]) => one.localeCompare(other));
    const key = JSON.stringify([base && join(folder, base), options]);
    const program = byOptions.get(key) ?? { folders: [], include: [] };
    program.folders.push(folder);
    program.include.push(...include.map((path) => inRoot(folder, path)));
    byOptions.set(key, program);
  }
  return [...byOptions.values()];
};

// Each checker repeats the types that several files share: four of them, the default, take three times the processor
// time of one (measured for the contract). A larger heap saves another seventh, which the collector takes.
const SETTINGS = ['--noEmit', '--checkers', '1', '--incremental'];
const COLLECTOR = { GOGC: '400', GOMEMLIMIT: '2GiB' };

/** Checks one program. What it learns stays in node_modules/.cache, for the next run. */
export const checkTypes = ({ folders, include }) => {
  const file = inRoot('node_modules', '.cache', 'types', `${folders.join('+').replaceAll('/', '-')}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ extends: configOf(folders[0]), include }));
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', file, ...SETTINGS, '--tsBuildInfoFile', `${file}.tsbuildinfo`];
  return run(findNode(), args, { capture: true, env: nodeEnv({ ...COLLECTOR, FORCE_COLOR: '0' }) });
};
