import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkKnownFaults } from './lib/vulnerabilities.mjs';

const json = (value) => `${JSON.stringify(value)}\n`;
const fault = {
  id: 1,
  url: 'https://example.com/1',
  title: 'It leaks',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
};

let folder;
let registry;
/** The registry's response for each library; undefined if it has no vulnerability data. */
let known;

beforeEach(async () => {
  registry = createServer((request, response) => {
    const isQuestion = request.method === 'POST' && request.url.endsWith('/advisories/bulk');
    if (isQuestion && known) response.end(json(known));
    else response.writeHead(isQuestion ? 405 : 404).end();
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  folder = mkdtempSync(join(tmpdir(), 'device-center-faults-'));
  const whole = {
    name: 'whole',
    version: '1.0.0',
    dependencies: { used: '1.0.0' },
    devDependencies: { tried: '1.0.0' },
  };
  const packages = {
    '': whole,
    'node_modules/used': { version: '1.0.0' },
    'node_modules/tried': { version: '1.0.0', dev: true },
  };
  writeFileSync(join(folder, 'package.json'), json(whole));
  writeFileSync(join(folder, 'package-lock.json'), json({ ...whole, lockfileVersion: 3, packages }));
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${registry.address().port}/`);
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '127.0.0.1');
});
afterEach(() => {
  vi.unstubAllEnvs();
  registry.close();
  rmSync(folder, { recursive: true });
});

it.each([
  ['nothing', {}, { code: 0, output: '' }],
  ['a fault of what the product needs', { used: [fault] }, { code: 1, output: 'used, high: It leaks\n' }],
  ['a fault of what tests need', { tried: [fault] }, { code: 0, output: '' }],
])('is known: %s', async (_what, answer, expected) => {
  known = answer;
  expect(await checkKnownFaults(folder)).toEqual(expected);
});

it('is told where the registry does not say', async () => {
  known = undefined;
  const { code, notAsked } = await checkKnownFaults(folder);
  expect([code, notAsked]).toEqual([0, expect.stringMatching(/^the registry does not say \(405 /)]);
});
