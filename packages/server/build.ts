import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { programName } from './src/platform/locations.ts';

/** Bundles the hub for `npm start`: a program of a few files loads in less than half the time of many hundred. */

const source = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Everything that runs as a process or thread of its own. */
const programs = [
  'main.ts',
  'supervisor.ts',
  'admin.ts',
  'device.ts',
  'db/sqlite-worker.ts',
  'records/sqlite-store-thread.ts',
  'http/input-worker.ts',
  'platform/picture-worker.ts',
  'features/zone/certificate-process.ts',
  'library/demo/process.ts',
  ...['backup', 'restore', 'move-to-postgres', 'outbox', 'remove-demo', 'reset-admin'].map((name) => `cli/${name}.ts`),
];

const dir = process.env.OUT_DIR ?? fileURLToPath(new URL('./dist/', import.meta.url));

const HTTP = 'node:http';
const VIRTUAL_HTTP = '\0node:http';
const httpNames = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) =>
  get ? [] : [name],
);

/**
 * To import `node:http` reads all that it exports, among it WebSocket, for which Node loads its own HTTP client: 100 ms
 * of processor time and several MB in each process. This module has all the others.
 */
const httpWithoutClient: Plugin = {
  name: 'http-without-client',
  resolveId: (id, _importer, { kind }) =>
    kind !== 'require-call' && (id === HTTP || id === 'http') ? VIRTUAL_HTTP : undefined,
  load: (id) =>
    id === VIRTUAL_HTTP
      ? `const http = process.getBuiltinModule('${HTTP}');
         export default http;
         ${httpNames.map((name) => `export const ${name} = http.${name};`).join('\n')}`
      : undefined,
};

/**
 * Each program by itself. Built together, what two of them share may become part of one of them, and the other would
 * then run that program by importing it.
 */
const build = async (path: string): Promise<void> => {
  const name = programName(path);
  const bundle = await rolldown({
    input: { [name]: source(path) },
    platform: 'node',
    // A native addon cannot be bundled; the S3 client is large and loaded only where firmware lies in a bucket.
    plugins: [httpWithoutClient],
    // @fastify/multipart looks at it only to offer a method that the hub does not use; to look loads the same client.
    transform: { define: { 'globalThis.FormData': 'undefined' } },
    external: ['@node-rs/argon2', /^@aws-sdk\//, '@tus/s3-store', 'pg-native'],
  });
  await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${name}.[name]-[hash].js`,
    sourcemap: true,
    // Node keeps the text of a program in memory, at two bytes a character if a single one is not Latin-1.
    charset: 'ascii',
    comments: false,
  });
  await bundle.close();
};

await Promise.all(programs.map(build));
