// Builds a Dockerfile in folders, without a container engine: a base image is an empty folder, and `npm ci` links the
// packages installed in the repository.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { testEnv } from './test-env.mjs';

/** The stages of a Dockerfile, each with its instructions in order, and the values of ARG before the first. */
export const readDockerfile = (text) => {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const args = new Map();
  const stages = [];
  for (const line of lines) {
    const [name = '', ...words] = line.split(/\s+/);
    const value = line.slice(name.length).trim();
    if (name === 'ARG' && !stages.length) args.set(...value.split('='));
    else if (name === 'FROM') {
      const [image = '', , label = ''] = words;
      const base = image.replaceAll(/\$\{(\w+)\}/g, (_all, arg) => args.get(arg) ?? '');
      stages.push({ base, label, instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, words, value });
  }
  return stages;
};

/** Whether .dockerignore excludes a path. */
const readIgnored = (file) => {
  const patterns = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const asRule = (pattern) => {
    const [, anywhere = '', name = ''] = /^(\*\*\/)?(.*)$/.exec(pattern) ?? [];
    return new RegExp(`^${anywhere ? '(.*/)?' : ''}${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`);
  };
  const rules = patterns.map(asRule);
  return (path) => rules.some((rule) => rule.test(path));
};

const linkPackages = (from, to, names) => {
  for (const name of names) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    symlinkSync(join(from, name), join(to, name));
  }
};

/** Names of packages in a node_modules folder. */
const packagesIn = (folder) =>
  readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((one) => `${name}/${one}`) : [name],
  );

/** What `npm ci` installs: everything, or the dependencies of one workspace. */
const install = (context, folder, options) => {
  const [from, to] = [join(context, 'node_modules'), join(folder, 'node_modules')];
  rmSync(to, { recursive: true, force: true });
  const workspace = options.map((option) => /^--workspace=(.+)/.exec(option)?.[1]).find(Boolean);
  if (workspace && !options.includes('--omit=dev'))
    throw new Error('npm ci of a workspace is supported only with --omit=dev');
  const manifest = workspace && JSON.parse(readFileSync(join(folder, workspace, 'package.json'), 'utf8'));
  const names = manifest ? Object.keys(manifest.dependencies) : packagesIn(from).filter((name) => name !== '.bin');
  const isOwn = (name) => name.startsWith('@device-center/');
  linkPackages(
    from,
    to,
    names.filter((name) => !isOwn(name)),
  );
  for (const name of names.filter(isOwn)) {
    mkdirSync(join(to, dirname(name)), { recursive: true });
    symlinkSync(join('../../packages', basename(name)), join(to, name));
  }
};

const isFolder = (path) => existsSync(path) && statSync(path).isDirectory();

const copy = ({ words, from, root, cwd, isIgnored }) => {
  const paths = words.filter((word) => !word.startsWith('--'));
  const to = resolve(root, `.${resolve(cwd, paths.at(-1))}`);
  const into = paths.length > 2 || paths.at(-1).endsWith('/');
  for (const path of paths.slice(0, -1)) {
    const source = join(from, path);
    const target = into && !isFolder(source) ? join(to, basename(path)) : to;
    const filter = (file) => !isIgnored?.(relative(from, file));
    cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter });
  }
};

/** Runs a RUN command; absolute paths refer to the stage. Ignores owners, which only root can change. */
const runCommand = ({ command, context, root, cwd, env }) => {
  const [program, ...words] = command.split(/\s+/).map((word) => (word.startsWith('/') ? join(root, word) : word));
  const folder = join(root, cwd);
  if (program === 'chown') return;
  if (program === 'npm' && words[0] === 'ci') return install(context, folder, words.slice(1));
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    env: testEnv(env),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`RUN ${command} exited with ${status}:\n${stdout}${stderr}`);
};

/**
 * Builds the image of a Dockerfile in `folder`, one folder for each stage. `prepare` is called before each RUN with the
 * name of the stage and its working directory. Returns the last stage.
 */
export const carryOut = ({ file, context, folder, prepare }) => {
  const isIgnored = readIgnored(join(context, '.dockerignore'));
  const roots = new Map();
  let last;
  for (const { label, instructions } of readDockerfile(readFileSync(file, 'utf8'))) {
    const root = join(folder, label || 'image');
    const stage = { root, cwd: '/', env: {}, user: 'root', command: [] };
    roots.set(label, root);
    mkdirSync(root, { recursive: true });
    const steps = {
      WORKDIR: ({ value }) => {
        stage.cwd = resolve(stage.cwd, value);
        mkdirSync(join(root, stage.cwd), { recursive: true });
      },
      ENV: ({ words }) => {
        const pairs = words.map((word) => word.split('='));
        for (const [name, value] of pairs) stage.env[name] = value.startsWith('/') ? join(root, value) : value;
      },
      COPY: ({ words }) => {
        const stageName = words.map((word) => /^--from=(.+)/.exec(word)?.[1]).find(Boolean);
        const source = stageName ? { from: roots.get(stageName) } : { from: context, isIgnored };
        copy({ words, root, cwd: stage.cwd, ...source });
      },
      RUN: ({ value }) => {
        prepare(label, join(root, stage.cwd));
        for (const command of value.split('&&'))
          runCommand({ command: command.trim(), context, root, cwd: stage.cwd, env: stage.env });
      },
      USER: ({ value }) => {
        stage.user = value;
      },
      CMD: ({ value }) => {
        stage.command = JSON.parse(value);
      },
      VOLUME: () => undefined,
      EXPOSE: () => undefined,
      HEALTHCHECK: () => undefined,
    };
    for (const instruction of instructions) {
      const step = steps[instruction.name];
      if (!step) throw new Error(`instruction ${instruction.name} is not supported`);
      step(instruction);
    }
    last = stage;
  }
  return last;
};
