// What the tests need from the machine besides npm packages: a browser, Chinese glyphs, PostgreSQL, a C compiler, other
// people's MQTT programs, and a balancer.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, run } from './run.mjs';

export const isRoot = process.getuid?.() === 0;

export const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** The headless shell is the same engine without a window system: it makes the browser stage 15 % faster. */
const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const findChromium = () =>
  [process.env.CHROMIUM_PATH].find((file) => file && existsSync(file)) ?? browsers.map(onPath).find(Boolean);

/** Folders of initdb and postgres, newest version first. Debian does not put them in PATH. */
export const findPostgres = () => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((version) => `/usr/lib/postgresql/${version}/bin`);
  const path = (process.env.PATH ?? '').split(delimiter);
  return [...folders, ...path].find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
};

const hasChineseFont = () =>
  existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc') ||
  Boolean(spawnSync('fc-list', [':lang=zh-cn'], { encoding: 'utf8' }).stdout?.trim());

/** Compiler for generated headers. */
const findCompiler = () => ['/usr/bin/cc', '/usr/bin/gcc', '/usr/bin/clang'].find((file) => existsSync(file));

const onPathAll = (names) => names.every(onPath);

/** Debian installs the broker in a folder that only root has in PATH. */
const findMosquitto = () => (existsSync('/usr/sbin/mosquitto') ? '/usr/sbin/mosquitto' : onPath('mosquitto'));

/** Likewise the load balancer. */
const findHaproxy = () => (existsSync('/usr/sbin/haproxy') ? '/usr/sbin/haproxy' : onPath('haproxy'));

/** Only Debian's Python has Debian's packages, even if another one is first in PATH. */
const hasPaho = () => spawnSync('/usr/bin/python3', ['-c', 'import paho.mqtt'], { stdio: 'ignore' }).status === 0;

const needs = [
  { package: 'gcc libc6-dev', stages: ['server'], there: findCompiler, what: 'a C compiler' },
  {
    package: 'mosquitto-clients',
    stages: ['server'],
    there: () => onPathAll(['mosquitto_pub', 'mosquitto_sub', 'mosquitto_rr']),
    what: "Mosquitto's clients",
  },
  {
    package: 'mosquitto',
    stages: ['server'],
    there: () => findMosquitto() && onPath('mosquitto_passwd'),
    what: "Mosquitto's broker",
  },
  {
    package: 'rabbitmq-server',
    stages: ['server'],
    there: () => existsSync('/usr/lib/rabbitmq/bin/rabbitmq-server') && onPath('epmd'),
    what: 'RabbitMQ',
  },
  { package: 'haproxy', stages: ['server'], there: findHaproxy, what: 'HAProxy' },
  { package: 'curl', stages: ['server'], there: () => onPath('curl'), what: 'curl' },
  { package: 'openssl', stages: ['server', 'console'], there: () => onPath('openssl'), what: 'openssl' },
  { package: 'python3-paho-mqtt', stages: ['server'], there: hasPaho, what: 'Python 3 with Eclipse paho' },
  {
    package: 'chromium-headless-shell',
    // Alternative for distributions without the first.
    otherwise: 'chromium',
    stages: ['browser'],
    there: findChromium,
    what: 'Chromium or Chrome',
  },
  { package: 'fonts-noto-cjk', stages: ['browser'], there: hasChineseFont, what: 'a font with Chinese characters' },
  { package: 'postgresql', stages: ['server'], there: findPostgres, what: "PostgreSQL's server programs" },
];

const missingFor = (stages) =>
  needs.filter((need) => need.stages.some((name) => stages.includes(name)) && !need.there());

/** Whether apt-get knows the package. */
const isInstallable = (name) => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;

const aptInstall = async (needed) => {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], options);
  const packages = needed.flatMap(({ package: names, otherwise }) =>
    otherwise && !isInstallable(names) ? [otherwise] : names.split(' '),
  );
  console.log(`Installing ${packages.join(', ')} (apt-get) …`);
  await run('apt-get', ['install', '-qq', '-y', '--no-install-recommends', ...packages], options);
};

/** Installs missing packages for these stages, or tells the user what to install. */
export const ensureSystemPackages = async (stages) => {
  const missing = missingFor(stages);
  if (!missing.length) return;
  const debian = onPath('apt-get');
  if (debian && isRoot) await aptInstall(missing);
  const left = missingFor(stages);
  if (!left.length) return;
  const names = left.map((need) => need.package).join(' ');
  const advice = debian
    ? `Run:\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names}`
    : `On Debian and Ubuntu the packages are: ${names}`;
  const still = stages.filter((name) => !left.some((need) => need.stages.includes(name)));
  fail(
    `The tests need, and this machine lacks: ${left.map((need) => need.what).join(', ')}.\n${advice}` +
      (still.length ? `\nWithout them, these stages still run: npm test -- --only ${still.join(',')}` : ''),
  );
};
