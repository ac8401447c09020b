// Every package that is installed must have a licence that goes with ours, Apache-2.0.
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './root.mjs';

const fitting = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  // Of fonts, which are served as they are.
  'OFL-1.1',
  // For files of their own, which are used as they are.
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
]);

/** Named in their readme or, as a second licence to choose, in a file of theirs alone. */
const readByHand = {
  'node_modules/combine-errors': 'MIT',
  'node_modules/humanize-number': 'MIT',
  // The Eclipse Distribution License, which is BSD-3-Clause.
  'node_modules/paho-mqtt': 'BSD-3-Clause',
};

/** "(MIT OR CC0-1.0)": one that fits is enough; "MIT AND ISC": all must. */
export const fits = (licence) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => fitting.has(name.trim())));

const told = ({ license, licenses }) =>
  typeof license === 'string'
    ? license
    : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'no licence named');

/** Packages whose licence does not fit, as lines. */
export const badLicences = (packages, readManifest) =>
  Object.keys(packages)
    .filter((path) => path.startsWith('node_modules/') && !packages[path].link)
    .flatMap((path) => {
      // For another machine, and so not installed here.
      const manifest = readManifest(path);
      const licence = manifest && (readByHand[path] ?? told(manifest));
      return !licence || fits(licence) ? [] : [`${path}: ${licence}`];
    });

const manifestOf = (path) => {
  const file = inRoot(path, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};

export const checkLicences = async () => {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const bad = badLicences(packages, manifestOf);
  return { code: bad.length ? 1 : 0, output: bad.map((line) => `${line}\n`).join('') };
};
