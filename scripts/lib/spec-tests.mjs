/** How the rows of the spec name tests: `server/login › answers who one is and what one may see`. */
const places = {
  server: (name) => [`packages/server/test/${name}.test.ts`, `packages/server/test/${name}.process.test.ts`],
  console: (name) => [`packages/console/src/${name}.test.tsx`, `packages/console/src/${name}.test.ts`],
  contract: (name) => [`packages/contract/src/${name}.test.ts`],
  scripts: (name) => [`scripts/${name}.test.mjs`],
  e2e: (name) => [`e2e/${name}.spec.ts`],
};

export const ARROW = ' › ';

/** Which file a name means, or none. `read` answers a file's text, or undefined where there is no such file. */
export const fileOf = (name, read) => {
  const [place, ...rest] = name.split('/');
  return places[place]?.(rest.join('/')).find((path) => read(path) !== undefined);
};

// `it('…',`, `test('…',` and the `)('…',` of a loop; what follows is the test itself, so that a mere call does not count.
const TEST = /(?:\b(?:it|test)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,\s*(?=async\b|\(|\{)/g;

/** `describe.each(…)('…',` names a group and no test. */
const isGroup = (text, { 0: found, index }) =>
  found.startsWith(')') &&
  /\b(\w+)\.each\(/.exec(
    text
      .slice(0, index)
      .split(/(?=\b\w+\.each\()/)
      .at(-1),
  )?.[1] === 'describe';

const readTitles = (text) =>
  [...text.matchAll(TEST)]
    .filter((match) => !isGroup(text, match))
    .map(([, , title]) => title.replace(/\\(['"`\\])/g, '$1').replaceAll('${', '{'));

const titles = new Map();
/** The titles of all tests in a file, as they are written there: a loop's still has its `%s`, and `{name}` what is put in. */
export const titlesIn = (text) => {
  // Hundreds of rows name the same few files.
  if (!titles.has(text)) titles.set(text, readTitles(text));
  return titles.get(text);
};

const importsIn = (path, read) => {
  const folder = path.split('/').slice(0, -1);
  return [...(read(path) ?? '').matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, relative]) => {
    const parts = [...folder];
    for (const part of relative.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '.') parts.push(part);
    }
    return parts.join('/');
  });
};

/** A test file with the tables and helpers that it imports, and what these import. */
export const withHelpers = (path, read) => {
  const near = importsIn(path, read);
  const files = new Set([path, ...near, ...near.flatMap((file) => importsIn(file, read))]);
  return [...files].map((file) => read(file) ?? '').join('\n');
};

/** What is wrong with a reference to a test; nothing where the test is there. */
export const problemOfTest = ({ test, has = [] }, read) => {
  const [name, title] = test.split(ARROW);
  const path = fileOf(name, read);
  if (!path) return `there is no test file ${name}`;
  const text = read(path);
  if (!title || !titlesIn(text).includes(title)) return `${path} has no test '${title ?? ''}'`;
  const whole = has.length ? withHelpers(path, read) : '';
  const missing = has.filter((item) => !whole.includes(item));
  return missing.length ? `${path} does not have ${missing.map((item) => `'${item}'`).join(', ')}` : undefined;
};
