// Builds deploy/Dockerfile with buildah and runs the result like a container: as an ordinary user, without capabilities,
// on a read-only root. The base image comes from debootstrap: no image registry is needed.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readDockerfile } from './dockerfile.mjs';
import { cloneInto, follow } from './fresh-machine.mjs';
import { findNode } from './node.mjs';
import { isRoot, onPath } from './system.mjs';

const PROGRAMS = ['debootstrap', 'buildah', 'unshare', 'setpriv'];
const BASE = 'localhost/device-center-base';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** Why the image cannot be built on this machine; undefined if it can. */
export const missingForImage = () => {
  if (!isRoot) return 'the image can be built by root only: debootstrap and mounts need it';
  const missing = PROGRAMS.filter((name) => !onPath(name));
  if (!missing.length) return undefined;
  return `this machine lacks ${missing.join(', ')}; on Debian: apt-get install --no-install-recommends debootstrap buildah`;
};

const call = (program, args, options = {}) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26, ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${status}:\n${stdout}\n${stderr}`);
  return stdout.trim();
};

/** Equivalent of node:24.…-bookworm-slim: Debian, Node, npm and the user node. */
const makeBase = (folder, image) => {
  const [, version, suite] = /^node:([\d.]+)-(\w+)-slim$/.exec(image) ?? [];
  const here = call(findNode(), ['--version']);
  if (here !== `v${version}`) throw new Error(`the base image ${image} cannot be created with Node ${here}`);
  call('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, folder]);
  const local = join(folder, 'usr', 'local');
  cpSync(findNode(), join(local, 'bin', 'node'));
  const npm = join(local, 'lib', 'node_modules', 'npm');
  mkdirSync(dirname(npm), { recursive: true });
  cpSync(dirname(dirname(realpathSync(onPath('npm')))), npm, { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  // This machine may reach the registry through a proxy with a certificate of its own.
  if (existsSync(CERTIFICATES)) cpSync(CERTIFICATES, join(folder, CERTIFICATES));
  call('chroot', [folder, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
};

/** Own mount namespace: the image read-only, its volume, and an empty /tmp. */
const CONTAINER = `
root=$1 data=$2 folder=$3 user=$4; shift 4
mount --make-rprivate / && mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" &&
mount --bind "$data" "$root/data" && mount -t tmpfs tmpfs "$root/tmp" && mount --rbind /dev "$root/dev" &&
mount --rbind /proc "$root/proc" || exit 70
uid=$(chroot "$root" id -u "$user") gid=$(chroot "$root" id -g "$user")
exec chroot "$root" setpriv --reuid "$uid" --regid "$gid" --clear-groups --no-new-privs --bounding-set=-all \\
  sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`;

export const makeImageMachine = () => {
  const missing = missingForImage();
  if (missing) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), 'dc-image-'));
  const storage = join(folder, 'storage.conf');
  const [graph, run] = [join(folder, 'graph'), join(folder, 'run')];
  writeFileSync(storage, `[storage]\ndriver = "vfs"\ngraphroot = "${graph}"\nrunroot = "${run}"\n`);
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' };
  const buildah = (...args) => call('buildah', args, { env });
  const running = new Set();
  const remove = () => {
    for (const child of running) child.kill('SIGTERM');
    spawnSync('buildah', ['rm', '--all'], { env, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };

  const clone = join(folder, 'clone');
  cloneInto(clone);
  const file = join(clone, 'deploy', 'Dockerfile');
  const empty = buildah('from', 'scratch');
  makeBase(buildah('mount', empty), readDockerfile(readFileSync(file, 'utf8'))[0].base);
  buildah('unmount', empty);
  const network = existsSync(CERTIFICATES) ? ['--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] : [];
  buildah('config', ...network, '--env', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', empty);
  buildah('commit', '--quiet', '--rm', empty, BASE);
  buildah(
    'build',
    '--pull-never',
    '--build-arg',
    `NODE_IMAGE=${BASE}`,
    '--file',
    file,
    '--tag',
    'device-center',
    clone,
  );
  const container = buildah('from', 'localhost/device-center');
  const root = buildah('mount', container);
  const config = JSON.parse(buildah('inspect', container)).OCIv1.config;
  const data = join(folder, 'data');
  // A new volume is a copy of the image's folder, with its owner.
  call('cp', ['-a', join(root, 'data'), data]);

  /** Starts a command with the user, environment and directory of the image. */
  const start = (words, more = {}) => {
    const variables = [...config.Env, ...Object.entries(more).map(([name, value]) => `${name}=${value}`)];
    const inside = ['sh', '-c', CONTAINER, 'sh', root, data, config.WorkingDir, config.User];
    const child = spawn('unshare', ['--mount', ...inside, ...words], {
      env: Object.fromEntries(variables.map((one) => [one.split('=')[0], one.slice(one.indexOf('=') + 1)])),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return follow(child, words.join(' '));
  };
  return { start, command: config.Cmd, root, remove };
};
