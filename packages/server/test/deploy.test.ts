import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { postgresPool } from '../src/db/connect.ts';
import { readSettings, settingNames } from '../src/platform/settings.ts';
import { VERSION } from '../src/platform/version.ts';
import type { Hub } from './hub.ts';
import { startHub } from './in-process-hub.ts';

const root = new URL('../../../', import.meta.url);
const at = (path: string): string => fileURLToPath(new URL(path, root));
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** Variables of the image and of PostgreSQL's driver, in addition to the hub's settings. */
const OTHERS = ['NODE_ENV', 'PGPASSWORD'];
const known = new Set<string>([...settingNames, ...OTHERS]);

/** Three checks of deploy/haproxy.cfg. */
const NOTICED_WITHIN_S = 4;
/** After draining; then the hub ends by itself. */
const STOPPED_WITHIN_S = 15;

/** Checks the names in the container files. scripts/image.test.mjs runs the Dockerfile. */
it('sets only settings that the hub has, in the Dockerfile', () => {
  const [, set = ''] = /^ENV (.*)$/m.exec(read('deploy/Dockerfile')) ?? [];
  const names = Array.from(set.matchAll(/([A-Z_]+)=/g), ([, name]) => name ?? '');
  expect(names).toContain('DATA_DIR');
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

it('names only existing files and settings in the compose file', () => {
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

const ASK_FOR_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);

/** A fake database server that requests a plain-text password; returns the received one. */
const givenPassword = async (urlOf: (address: string) => string): Promise<string> => {
  const { promise: given, resolve } = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(ASK_FOR_PASSWORD);
      // A byte of type, four of length, and a zero at the end.
      socket.once('data', (message) => {
        resolve(message.subarray(5, -1).toString());
        socket.destroy();
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = postgresPool(urlOf(`127.0.0.1:${(server.address() as AddressInfo).port}`), 1);
  await pool.query('select 1').catch(() => undefined);
  await pool.end();
  server.close();
  return given;
};

it('accepts any database password in the compose file', async () => {
  const compose = parseYaml(read('deploy/compose.yaml'), { merge: true }) as {
    services: { hub1: { environment: Record<string, string> } };
  };
  const password = 'a/b@c:d#e%f?g';
  const env = Object.entries(compose.services.hub1.environment).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{POSTGRES_PASSWORD:\?\}/g, () => password),
  ]);
  const { DATABASE_URL = '', PGPASSWORD = '' } = Object.fromEntries(env) as Record<string, string>;
  const { PGPASSWORD: before } = process.env;
  process.env.PGPASSWORD = PGPASSWORD;
  try {
    const url = readSettings({ DATABASE_URL }).DATABASE_URL ?? '';
    expect(await givenPassword((address) => url.replace('@postgres/', `@${address}/`))).toBe(password);
  } finally {
    if (before === undefined) delete process.env.PGPASSWORD;
    else process.env.PGPASSWORD = before;
  }
});

it('gives hubs time to drain and to finish before they are killed', () => {
  const seconds = (text: unknown): number => Number(/^(\d+)s$/.exec(String(text))?.[1]);
  const compose = parseYaml(read('deploy/compose.yaml'), { merge: true });
  for (const { environment, stop_grace_period } of [compose.services.hub1, compose.services.hub2]) {
    expect(seconds(environment.DRAIN_TIME)).toBeGreaterThan(NOTICED_WITHIN_S);
    expect(seconds(stop_grace_period)).toBeGreaterThan(seconds(environment.DRAIN_TIME) + STOPPED_WITHIN_S);
  }
  const [deployment] = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJS());
  const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec;
  const { value } = containers[0].env.find(({ name }: { name: string }) => name === 'DRAIN_TIME');
  expect(terminationGracePeriodSeconds).toBeGreaterThan(seconds(value) + STOPPED_WITHIN_S);
});

it('uses a kind and only known settings in every manifest', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml'));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const manifests = documents.map((one) => one.toJS() as { apiVersion: string; kind: string; spec: Spec });
  expect(manifests.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'Service', 'PodDisruptionBudget']);
  const [container] = manifests[0]?.spec.template.spec.containers ?? [];
  expect(container?.env.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  const published = manifests.filter(({ kind }) => kind === 'Service').flatMap(({ spec }) => spec.ports);
  // Devices' tokens and messages cross the network by TLS alone.
  expect(published.map(({ port }) => port)).toEqual([80, 8883]);
  const offered = new Map(container?.ports.map(({ name, containerPort }) => [name, containerPort]));
  expect(published.map(({ targetPort }) => offered.get(targetPort))).toEqual([8080, 8883]);
});

type Container = { env: { name: string }[]; ports: { name: string; containerPort: number }[] };
type Spec = {
  template: { spec: { containers: Container[] } };
  ports: { port: number; targetPort: string }[];
};

describe('monitoring', () => {
  let hub: Hub;
  let served: string;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());

  /** Suffixes of histogram metrics. */
  const BUCKETS = /_(bucket|count|sum)$/;
  const { rules } = (parseYaml(read('deploy/alerts.yaml')) as { groups: [{ rules: Rule[] }] }).groups[0];

  const namesIn = (expressions: string[]): string[] => [
    ...new Set(
      expressions.flatMap((text) =>
        [...text.matchAll(/\b((?:device|zone|records|database|http|process|nodejs)_[a-z0-9_]+)/g)].map(
          ([, name]) => name ?? '',
        ),
      ),
    ),
  ];

  it('uses only metrics that the hub serves, in dashboard and alerts', async () => {
    const dashboard = JSON.parse(read('deploy/grafana.json')) as { panels: { targets: { expr: string }[] }[] };
    const expressions = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...rules.map(({ expr }) => expr),
    ];
    await expect
      .poll(
        async () => {
          served = await (await fetch(`${hub.url}/metrics`)).text();
          return namesIn(expressions).filter((name) => !served.includes(`\n# TYPE ${name.replace(BUCKETS, '')} `));
        },
        { timeout: 20_000 },
      )
      .toEqual([]);
    expect(served).toMatch(/^device_connections 0$/m);
    expect(served).toContain(`\ndevice_center_build_info{version="${VERSION}"} 1\n`);
  });

  it('applies rates only to counters', () => {
    const used = rules.map(({ expr }) => expr).concat(read('deploy/grafana.json'));
    const rated = used.flatMap((text) =>
      Array.from(text.matchAll(/\b(?:rate|increase)\((\w+)/g), ([, name]) => name ?? ''),
    );
    expect(rated).toContain('device_messages_stored_total');
    const typeOf = (name: string) => new RegExp(`^# TYPE ${name.replace(BUCKETS, '')} (\\w+)$`, 'm').exec(served)?.[1];
    expect(rated.filter((name) => !['counter', 'histogram'].includes(typeOf(name) ?? ''))).toEqual([]);
  });

  it('has a severity and a test case for each alert', () => {
    expect(rules.filter(({ labels }) => !['critical', 'warning'].includes(labels?.severity ?? ''))).toEqual([]);
    const cases = parseYaml(read('deploy/alerts.test.yaml')) as { tests: { alert_rule_test: AlertCase[] }[] };
    const raised = cases.tests.flatMap((one) => one.alert_rule_test.filter(({ exp_alerts: alerts }) => alerts.length));
    expect(raised.map(({ alertname }) => alertname).sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('distinguishes a zone without subscriber from one with a subscriber', () => {
    // Summed over all hubs, two subscribers of one zone would hide another zone without any.
    const zone = rules.find(({ alert }) => alert === 'ZoneNotHeard');
    expect(zone?.expr).toBe('max by (zone) (zone_subscriber_connected) == 0');
  });
});

type Rule = { alert: string; expr: string; labels?: { severity?: string } };
type AlertCase = { alertname: string; exp_alerts: unknown[] };
