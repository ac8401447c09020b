// npm run test:fresh: tests a fresh clone on a machine with only Node and npm, as root and as an ordinary user, in paths
// with spaces, with homes that npm cannot use; and builds and runs the container image. Takes minutes and uses the
// registry. Options: --only NAME,…
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeMachine } from './lib/fresh-machine.mjs';
import { makeImageMachine } from './lib/image-machine.mjs';
import { atInterrupt, fail } from './lib/run.mjs';
import { isRoot } from './lib/system.mjs';

const SPACES = 'a clone – ünï 中文';

/** Starts a hub with a command line, checks its health, and stops it as a service manager does. */
const expectHub = async ({ start }, line) => {
  const { child, ended, says } = start(line, { PORT: '0', MQTT_PORT: '0' });
  const [, url] = await says(/^ready (http:\S+) mqtt:\S+$/m);
  const { status } = await fetch(`${url}/health/ready`);
  const page = await (await fetch(url)).text();
  child.kill('SIGTERM');
  const { output } = await ended;
  if (status !== 200) throw new Error(`${line}: /health/ready responded with ${status}\n${output}`);
  if (!page.includes('id="root"')) throw new Error(`${line}: no console at ${url}`);
  const left = await fetch(url).catch(() => undefined);
  if (left) throw new Error(`${line}: the hub still runs after SIGTERM`);
};

const expectEnd = async ({ start }, line, code, ...words) => {
  const { code: was, output } = await start(line).ended;
  const missing = words.filter((word) => !output.includes(word));
  if (was !== code || missing.length)
    throw new Error(`${line} exited with ${was}, output lacks ${missing}:\n${output}`);
};

/** Runs the image's hub and operator programs on the same data. */
const useImage = async ({ start, command, root }) => {
  const settings = { HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0', ADMIN_PASSWORD: 'Pass-word-123' };
  const expectWords = async (line, ...words) => {
    const { code, output } = await start(line.split(' ')).ended;
    const missing = words.filter((word) => !output.includes(word));
    if (code !== 0 || missing.length)
      throw new Error(`${line} exited with ${code}, output lacks ${missing}:\n${output}`);
  };
  const useHub = async (work) => {
    const { child, ended, says } = start(command, settings);
    const [, url] = await says(/^ready (http:\S+) mqtt:\S+$/m);
    if ((await fetch(`${url}/health/ready`)).status !== 200) throw new Error('the hub of the image is not ready');
    if (!(await (await fetch(url)).text()).includes('id="root"')) throw new Error(`no console at ${url}`);
    await work();
    child.kill('SIGTERM');
    const { code, output } = await ended;
    if (code !== 0) throw new Error(`the hub of the image exited with ${code}:\n${output}`);
  };
  await expectWords('id -u', '1000');
  const touched = await start(['touch', '/app/file']).ended;
  if (!touched.output.includes('Read-only file system')) throw new Error(`/app is writable: ${touched.output}`);
  await useHub(async () => {
    await expectWords('npm run outbox', 'the outbox is empty');
    await expectWords('npm run reset-admin', '(one-time)');
    await expectWords('npm run remove-demo', 'there is no demonstration');
    await expectWords('npm run backup -- /data/backup', 'backed up to /data/backup');
  });
  await expectWords('npm run restore -- /data/backup --replace', 'restored the backup of');
  await useHub(() => expectWords('npm run outbox', 'the outbox is empty'));
  const second = readdirSync(join(root, 'app', 'node_modules')).filter((name) => name.startsWith('node-'));
  if (second.length) throw new Error(`the image has a second Node: ${second}`);
};

const startAndDemo = async (machine) => {
  await expectHub(machine, 'npm start');
  await expectHub(machine, 'npm start -- --demo');
};

const scenes = [
  { name: 'root', path: 'clone', home: 'missing', work: startAndDemo },
  { name: 'root-spaces', path: SPACES, home: 'a file', work: (machine) => expectHub(machine, 'npm start') },
  {
    name: 'user-spaces',
    path: SPACES,
    home: 'closed',
    ordinary: true,
    work: async (machine) => {
      await startAndDemo(machine);
      const promised = 'still run: npm test -- --only check';
      await expectEnd(machine, 'npm test', 1, 'this machine lacks', 'mosquitto-clients', 'curl', 'openssl', promised);
      machine.install('openssl');
      await expectEnd(machine, 'npm test -- --only check,console', 0, ' passed, 0 failed');
    },
  },
  {
    name: 'user-cache',
    path: 'clone',
    home: 'with the cache of another user',
    ordinary: true,
    work: (machine) => expectHub(machine, 'npm start'),
  },
  { name: 'image', make: makeImageMachine, work: useImage },
];

const names = scenes.map(({ name }) => name);
const usage = `Usage: npm run test:fresh -- [--only ${names.join(',')}]`;
const readOptions = () => {
  try {
    return parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
};
const possible = scenes.filter(({ ordinary }) => ordinary || isRoot).map(({ name }) => name);
const { only = possible.join(','), help } = readOptions();
const unknown = only.split(',').filter((name) => !names.includes(name));
if (unknown.length) fail(`There is no ${unknown.join(', ')} here.\n${usage}`);
if (help) {
  console.log(usage);
  process.exit(0);
}

const impossible = only.split(',').filter((name) => !possible.includes(name));
if (impossible.length) fail(`Only root can run ${impossible.join(', ')}.`);

const useMachine = async (make, work) => {
  const machine = make();
  const kept = atInterrupt(machine.remove);
  try {
    await work(machine);
  } finally {
    kept();
    machine.remove();
  }
};

let failed = 0;
for (const { name, work, make = makeMachine, ...kind } of scenes.filter((scene) =>
  only.split(',').includes(scene.name),
)) {
  const began = performance.now();
  const problem = await useMachine(() => make(kind), work).then(
    () => undefined,
    (error) => error.message,
  );
  failed += problem ? 1 : 0;
  console.log(`${problem ? '✗' : '✓'} ${name} (${Math.round((performance.now() - began) / 1_000)} s) ${problem ?? ''}`);
}
console.log(`${only.split(',').length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
