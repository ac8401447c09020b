import { isDeepStrictEqual } from 'node:util';

/**
 * A row: what the specification has, then what shows it. A text names a test, an object stands for several, a function
 * holds what the specification has to the letter against the product and answers what is wrong.
 */
export const row = (what, ...parts) => ({
  what,
  holds: parts.filter((part) => typeof part === 'function'),
  shown: parts.filter((part) => typeof part !== 'function'),
});

/** A test that goes through a table, with the items of it that this row is about: they must be there. */
export const loop = (test, ...has) => ({ test, has });

const VALIDATION =
  'server/validation › refuses what the rule refuses, at that field, in both languages, and changes nothing';
const FORMS = 'packages/console/src/app/form-rules.test.tsx';

/**
 * A rule of the rule table (packages/contract/test), with values that the specification means. The schema is held to
 * them, the hub at every place that the rule has, and the forms that name one of these places.
 */
export const rule = (name, { takes = [], refuses = [] } = {}) => {
  const find = ({ rules }) => rules.find((one) => one.rule === name);
  const problem = (product) => {
    const found = find(product);
    if (!found) return `the rule table has no rule '${name}'`;
    const among = (values, value) => values.some((one) => isDeepStrictEqual(one, value));
    const refused = found.refused.map(({ value }) => value);
    const missing = [
      ...takes.filter((value) => !among(found.accepted, value)).map((value) => `accepted ${JSON.stringify(value)}`),
      ...refuses.filter((value) => !among(refused, value)).map((value) => `refused ${JSON.stringify(value)}`),
    ];
    return missing.length ? `the rule '${name}' does not have ${missing.join(', ')}` : undefined;
  };
  const tests = (product) => {
    const { places = [] } = find(product) ?? {};
    const inForms = places.some(({ call, field }) => product.read(FORMS)?.includes(`'${call} ${field}'`));
    return [
      { test: `contract/fields › ${refuses.length ? 'refuses' : 'takes'} %j`, about: name },
      ...(places.length ? [{ test: VALIDATION, about: name }] : []),
      ...(inForms ? [{ test: 'console/app/form-rules › %s', about: name }] : []),
    ];
  };
  return { problem, tests };
};

/** A command that the loop over all commands does, through HTTP, and finds in the audit log. */
export const command = (name) =>
  loop('server/audit › is written down with who, when, from where, what, before and after', `'${name}'`);

/** Holds a value of the product to the literal one. */
export const is = (expected, valueIn) => (product) => {
  const value = valueIn(product);
  return isDeepStrictEqual(value, expected)
    ? undefined
    : `the product has ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`;
};

/** A literal that stands in a file of the product which cannot be loaded here. */
export const source = (path, text) => (product) =>
  product.read(path)?.includes(text) ? undefined : `${path} does not have '${text}'`;

const SCREENS = 'e2e/screens › every screen as {role}, {language}, light and dark, 1920, 1440 and 390 wide';

const matches = (route, address) =>
  new RegExp(`^${route.replace(/\$\w+/g, '[^/]+').replaceAll('/', '\\/')}$`).test(address);

/** A page of the console, by its route and the menu that opens it; the browser test of all screens opens it. */
export const screen = (route, menu, ...parts) => {
  const known = ({ pages }) => {
    const page = pages.find(({ path }) => path === route);
    if (!page) return `the console has no page ${route}`;
    const right = menu === undefined ? page.menus.length === 0 : page.menus.includes(menu);
    return right ? undefined : `${route} is opened by the menus ${page.menus.join(', ')}`;
  };
  const opened = ({ screens }) =>
    screens.some((address) => matches(route, address)) ? undefined : `no screen test opens ${route}`;
  return { ...row(menu === undefined ? route : `${route}, menu ${menu}`, known, opened, SCREENS, ...parts), route };
};

const textAt = (at, product) => {
  const [table, ...keys] = at.split('.');
  const entry = product.contract[table] ?? undefined;
  if (table !== 'words') return keys.reduce((found, key) => found?.[key], entry);
  const [slice, key] = keys;
  return { zh_CN: product.words.zh_CN[slice]?.[key], en_US: product.words.en_US[slice]?.[key] };
};

/**
 * A sentence of the specification, and where the product has it: a table of the contract, or `words.slice.key`. The
 * page shows the Chinese one beside it.
 */
export const says = (english, at, { begins = false, chinese } = {}) => {
  const holds = (product) => {
    const text = textAt(at, product);
    if (!text?.en_US || !text.zh_CN) return `${at} has no text in both languages`;
    const same = begins ? text.en_US.startsWith(english) : text.en_US === english;
    if (!same) return `${at} says '${text.en_US}', not '${english}'`;
    const right = chinese === undefined ? /[一-鿿]/.test(text.zh_CN) : text.zh_CN === chinese;
    return right ? undefined : `${at} says '${text.zh_CN}' in Chinese`;
  };
  return Object.assign(holds, { chinese: (product) => textAt(at, product)?.zh_CN });
};

const PREFIX = '/iot-hub/admin';

/**
 * A call, with the fields that the specification gives it (more are extensions), and the tests that show what it does.
 * Each of these tests, or a helper that it imports, names the call.
 */
export const call = (address, fields, ...parts) => {
  const [method, short] = address.split(' ');
  const path = short.startsWith('/api/') ? short : `${PREFIX}${short}`;
  const names = fields.split(' ').filter(Boolean);
  const find = ({ contract }) => contract.everyCall.find((one) => one.call.method === method && one.call.path === path);
  const known = (product) => {
    const found = find(product);
    if (!found) return `the contract has no ${method} ${path}`;
    const missing = names.filter((name) => !(name in found.call.input.shape) && found.call.file?.field !== name);
    return missing.length ? `${found.slice}.${found.name} does not take ${missing.join(', ')}` : undefined;
  };
  const named = parts
    .filter((part) => typeof part === 'string')
    .map((test) => ({
      tests: (product) => {
        const found = find(product);
        const name = test.startsWith('server/') ? `Calls.${found?.name}` : (found?.name ?? '');
        return [loop(test, name)];
      },
    }));
  const others = parts.filter((part) => typeof part !== 'string');
  const what = `${method} ${short}${names.length ? ` { ${names.join(', ')} }` : ''}`;
  return { ...row(what, known, ...named, ...others), address: `${method} ${path}` };
};
