import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { settingNames } from '../src/platform/settings.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';

const root = new URL('../../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, root));
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** What every image has, besides the hub's own settings. */
const OTHERS = ['NODE_ENV'];
const known = new Set<string>([...settingNames, ...OTHERS]);

/** Files for containers, which nobody starts here: held against what they speak of. */
describe('the Dockerfile', () => {
  const lines = read('deploy/Dockerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const instructions = lines.map((line) => line.split(' ')[0]);

  it('has only instructions that there are', () => {
    const all = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'];
    expect(instructions.filter((name) => !all.includes(name ?? ''))).toEqual([]);
  });

  it('copies what is there, and starts what is there', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(copied.filter((path) => !existsSync(at(path)))).toEqual([]);
    const [start] = lines.filter((line) => line.startsWith('CMD'));
    expect(existsSync(at(JSON.parse((start ?? '').slice(4))[1]))).toBe(true);
  });

  it('sets what the hub knows, and does not run as root', () => {
    const [set] = lines.filter((line) => line.startsWith('ENV'));
    const names = [...(set ?? '').matchAll(/([A-Z_]+)=/g)].map(([, name]) => name ?? '');
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('USER'))).toEqual(['USER node']);
    expect(instructions.lastIndexOf('USER')).toBeGreaterThan(instructions.lastIndexOf('FROM'));
  });
});

it('the compose file names files and settings that there are', () => {
  const compose = parseYaml(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string>; build?: { dockerfile: string } }>;
    volumes: Record<string, unknown>;
  };
  expect(Object.keys(compose.services)).toEqual(['hub1', 'hub2', 'firmware-owner', 'balancer', 'postgres']);
  for (const { environment = {}, build } of [compose.services.hub1, compose.services.hub2].map((one) => one ?? {})) {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(existsSync(at(build?.dockerfile ?? ''))).toBe(true);
  }
});

it('every manifest has a kind, and sets what the hub knows', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const manifests = documents.map((one) => one.toJS() as { apiVersion: string; kind: string; spec: Deployment });
  expect(manifests.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'Service', 'PodDisruptionBudget']);
  const [container] = manifests[0]?.spec.template.spec.containers ?? [];
  expect(container?.env.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

type Deployment = { template: { spec: { containers: { env: { name: string }[] }[] } } };

describe('what is watched', () => {
  let hub: Hub;
  let served: string;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());

  const namesIn = (expressions: string[]): string[] => [
    ...new Set(
      expressions.flatMap((text) =>
        [...text.matchAll(/\b((?:device|zones|http|process|nodejs)_[a-z0-9_]+)/g)].map(([, name]) => name ?? ''),
      ),
    ),
  ];

  it('is served by the hub, whatever the dashboard and the alerts name', async () => {
    const dashboard = JSON.parse(read('deploy/grafana.json')) as { panels: { targets: { expr: string }[] }[] };
    const alerts = parseYaml(read('deploy/alerts.yaml')) as { groups: { rules: { expr: string }[] }[] };
    const expressions = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ];
    await expect
      .poll(
        async () => {
          served = await (await fetch(`${hub.url}/metrics`)).text();
          return namesIn(expressions).filter((name) => !served.includes(`\n${name}`));
        },
        { timeout: 20_000 },
      )
      .toEqual([]);
    expect(served).toMatch(/^device_connections 0$/m);
  });
});
