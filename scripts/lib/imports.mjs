// Allowed import directions, by pattern; docs/ARCHITECTURE.md describes them.
import { posix } from 'node:path';

const scope = '@device-center/';

/** Imports between packages. A new package may import only the contract. */
const packageMayImport = {
  contract: [],
  'virtual-device': ['contract', 'device-sdk'],
  simulator: ['contract', 'device-sdk', 'virtual-device'],
  // Both can run a mock device.
  console: ['contract', 'virtual-device'],
  server: ['contract', 'virtual-device'],
};
/** Tests use the product from outside, so they may import devices. */
const forTests = ['contract', 'device-sdk', 'virtual-device', 'simulator'];

const isTest = (path) =>
  /\.test\.[cm]?[jt]sx?$|(^|\/)(tests?|testing)\/|(^|\/)(test-|vitest)[^/]*\.[cm]?[jt]sx?$/.test(path);

/**
 * Higher tiers may import lower ones. Unlisted folders are at the bottom, so that a new folder cannot import upwards by
 * accident. `alone`: folders of this tier must not import each other.
 */
const tiersOf = {
  server: (head) => {
    if (head === 'main') return { name: 'main', rank: 3, skips: ['features'] };
    if (head === 'cli') return { name: 'cli', rank: 3 };
    if (head === 'admin' || head === 'device') return { name: head, rank: 2.5, alone: true };
    if (head === 'admin-process' || head === 'device-process') return { name: head, rank: 2, alone: true };
    // Used by both processes at their start.
    if (head === 'run-process') return { name: 'run-process', rank: 1.8, skips: ['features'] };
    if (head === 'startup') return { name: 'startup', rank: 1.7, skips: ['features'] };
    // The jobs of the admin process.
    if (head === 'maintenance') return { name: 'maintenance', rank: 1.5 };
    // The demonstration uses the slices to create its data.
    if (head === 'library') return { name: 'library', rank: 1.5 };
    if (head === 'features') return { name: 'features', rank: 1 };
    // Rules and queries of an entity that several slices share.
    if (head === 'domain') return { name: 'domain', rank: 0.5 };
    return { name: head, rank: 0 };
  },
  console: (head) => {
    if (head === 'app' || head === 'main') return { name: 'app', rank: 2 };
    if (head === 'features') return { name: 'features', rank: 1 };
    // The model editor is used by categories and products, so it is below both.
    if (head === 'model') return { name: 'model', rank: 0.5 };
    // Filters with options from the hub both fetch and render.
    if (head === 'filters') return { name: 'filters', rank: 0.5 };
    // i18n is below both: field labels and errors need texts. ui never fetches, api never renders.
    if (head === 'ui') return { name: 'ui', rank: 0, skips: ['api'] };
    if (head === 'api') return { name: 'api', rank: 0, skips: ['ui'] };
    if (head === 'i18n') return { name: 'i18n', rank: 0, skips: ['ui', 'api'] };
    // Each path carries the type of its page's search parameters, which the page's schema defines.
    if (head === 'paths') return { name: 'paths', rank: 0, typesFromAbove: true };
    return { name: head, rank: 0 };
  },
};

/** packages/server/src/features/ota/ota.queries.ts → package server, tier features, slice ota. */
const placeOf = (path) => {
  const [top, pkg, src, first, second] = path.split('/');
  if (top !== 'packages' || !pkg) return { path };
  const inSource = src === 'src' && first;
  const head = inSource && first.replace(/\.[^/]*$/, '');
  const tier = inSource && tiersOf[pkg]?.(head);
  return { path, pkg, tier, slice: tier?.name === 'features' ? second : undefined };
};

// With verbatimModuleSyntax, an import without `type` stays at run time, whatever it imports.
const statement =
  /^[ \t]*(?:import|export)\b[ \t]*(type\b(?!\s+from\b)(?!\s*,))?(?:[\s\w$*{},]*?\bfrom\s*)?['"]([^'"\n]+)['"]/gm;
const call = /(typeof\s+)?\bimport\(\s*['"`]([^'"`\n]+)['"`]\s*\)(\.[A-Z])?/g;

export const importsOf = (text) => [
  ...[...text.matchAll(statement)].map(([, type, name]) => ({ name, type: Boolean(type) })),
  ...[...text.matchAll(call)].map(([, typeOf, name, member]) => ({ name, type: Boolean(typeOf || member) })),
];

const targetOf = (from, name) => {
  const plain = name.replace(/\?.*$/, '');
  if (plain.startsWith('.')) return placeOf(posix.join(posix.dirname(from.path), plain));
  if (/^[@~]\//.test(plain) && from.pkg) return placeOf(`packages/${from.pkg}/src/${plain.slice(2)}`);
  if (plain.startsWith(scope)) return { pkg: plain.slice(scope.length).split('/')[0], byName: true };
  const external = plain.startsWith('@') ? plain.split('/').slice(0, 2).join('/') : plain.split('/')[0];
  return { external };
};

const betweenPackages = (from, to, test) => {
  if (!to.byName) return `imports another package by its path; import ${scope}${to.pkg} by name`;
  const allowed = [...(packageMayImport[from.pkg] ?? ['contract']), ...(test ? forTests : [])];
  return allowed.includes(to.pkg) ? undefined : `package ${from.pkg} must not import package ${to.pkg}`;
};

const betweenTiers = (from, to, test, type) => {
  const [above, below] = [from.tier, to.tier];
  if (!above || !below || test) return undefined;
  if (type && above.typesFromAbove) return undefined;
  if (below.rank > above.rank) return `${above.name} must not import ${below.name}: it stands above`;
  if (above.skips?.includes(below.name)) return `${above.name} must not import ${below.name}`;
  if (above.alone && below.rank === above.rank && below.name !== above.name) {
    return `${above.name} and ${below.name} run in processes of their own; share through a lower tier`;
  }
  if (from.slice && to.slice && from.slice !== to.slice && !type) {
    return `slice ${from.slice} imports slice ${to.slice} at run time; state the need as a type and have it handed in`;
  }
  return undefined;
};

const outside = (from, { external }, test, type, manifests) => {
  const own = manifests[from.pkg];
  const product = /^packages\/[^/]+\/src\//.test(from.path) && !test;
  if (product && from.pkg === 'contract' && external !== 'zod')
    return `the contract imports zod and nothing else, not ${external}`;
  if (external.startsWith('node:') || !own) return undefined;
  const { dependencies = {}, devDependencies = {} } = own;
  const shared = product && !type ? {} : { ...devDependencies, ...manifests.root?.devDependencies };
  return external in dependencies || external in shared
    ? undefined
    : `${external} is not among the dependencies in packages/${from.pkg}/package.json`;
};

const judge = (from, { name, type }, manifests) => {
  const to = targetOf(from, name);
  const test = isTest(from.path);
  if (!from.pkg) return undefined;
  if (to.external) return outside(from, to, test, type, manifests);
  if (!to.pkg) return from.path.includes('/src/') && !test ? `imports ${name}, outside of every package` : undefined;
  if (to.pkg !== from.pkg) return betweenPackages(from, to, test);
  return betweenTiers(from, to, test, type);
};

/** Returns a line for each violation. `manifests`: package.json by package folder, and `root`. */
export const violations = (files, manifests = {}) =>
  files.flatMap(({ path, text }) => {
    const from = placeOf(path);
    return importsOf(text).flatMap((found) => {
      const wrong = judge(from, found, manifests);
      return wrong ? [`${path}: '${found.name}': ${wrong}`] : [];
    });
  });
