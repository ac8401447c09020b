// All installed packages must have a licence that is compatible with ours, Apache-2.0.
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './root.mjs';

const fitting = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  // For fonts, which are served unmodified.
  'OFL-1.1',
  // For separate files, which are used unmodified.
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
]);

/** Packages that name a licence only in their readme or in a separate file. */
const readByHand = {
  'node_modules/combine-errors': 'MIT',
  'node_modules/humanize-number': 'MIT',
  // The Eclipse Distribution License, which is BSD-3-Clause.
  'node_modules/paho-mqtt': 'BSD-3-Clause',
};

/** "(MIT OR CC0-1.0)": one must be compatible; "MIT AND ISC": all must. */
export const fits = (licence) =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => fitting.has(name.trim())));

const licenceOf = ({ license, licenses }) =>
  typeof license === 'string'
    ? license
    : (license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'no licence named');

/** Packages with an incompatible licence, one per line. */
export const badLicences = (packages, readManifest) =>
  Object.keys(packages)
    .filter((path) => path.startsWith('node_modules/') && !packages[path].link)
    .flatMap((path) => {
      // For another platform, and therefore not installed.
      const manifest = readManifest(path);
      const licence = manifest && (readByHand[path] ?? licenceOf(manifest));
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
