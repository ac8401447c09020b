import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { blockOf } from './pages/commands.ts';

/** An external broker on this machine; it can be stopped and restarted with the same ports and data. */
export type TestBroker = {
  port: number;
  tlsPort: number;
  stop: () => Promise<void>;
  /** SIGKILL, as in a power failure. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  dispose: () => Promise<void>;
};

export type TlsFiles = { ca: string; cert: string; key: string };

const START_WITHIN_MS = 150_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Below the ephemeral port range: no outgoing connection takes the port while the broker starts. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + randomInt(12_000);
    if (await isFree(port)) return port;
  }
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = openSocket(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

const listening = async (port: number, child: ChildProcess, said: () => string): Promise<void> => {
  const deadline = Date.now() + START_WITHIN_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the broker did not start:\n${said()}`);
    await sleep(50);
  }
};

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

type Program = { command: string; args: string[]; env?: Record<string, string>; stopWith: NodeJS.Signals };

/** `ports`: all that must accept connections before the broker counts as started. */
type Place = { port: number; tlsPort: number; ports: number[] };

const manage = async (
  home: string,
  { port, tlsPort, ports }: Place,
  program: Program,
  beside: () => Promise<void> = async () => undefined,
): Promise<TestBroker> => {
  let child: ChildProcess;
  let said = '';
  const start = async (): Promise<void> => {
    child = spawn(program.command, program.args, {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', HOME: home, ...program.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    child.stdout?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    for (const one of ports) await listening(one, child, () => said);
  };
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, name);
    await ended(child);
  };
  await start();
  return {
    port,
    tlsPort,
    start,
    stop: () => signal(program.stopWith),
    kill: () => signal('SIGKILL'),
    dispose: async () => {
      await signal('SIGKILL');
      await beside();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

const makeHome = (): string => mkdtempSync(join(tmpdir(), 'dc-broker-'));

/** Searched in the usual folders too: not all are on the path. Undefined when it is not installed. */
export const findMosquitto = (): string | undefined =>
  ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/usr/bin/mosquitto'].find((file) => existsSync(file));

/** `more`: further lines of the configuration; they override the lines before them. */
type MosquittoOptions = { tls?: TlsFiles; accounts?: Record<string, string>; acl?: string; more?: string[] };

const runMosquitto = (home: string, named: Pick<Place, 'port' | 'tlsPort'>, config: string[]): Promise<TestBroker> => {
  const file = join(home, 'mosquitto.conf');
  writeFileSync(file, `${config.join('\n')}\n`, { mode: 0o600 });
  const ports = config.flatMap((line) => /^listener (\d+)/.exec(line)?.[1] ?? []).map(Number);
  const command = findMosquitto() ?? 'mosquitto';
  return manage(home, { ...named, ports }, { command, args: ['-c', file], stopWith: 'SIGTERM' });
};

/** Mosquitto with a complete configuration of an operator; `ports` are those of the configuration. */
export const startConfiguredMosquitto = (config: string, ports: Pick<Place, 'port' | 'tlsPort'>): Promise<TestBroker> =>
  // When started by root, Mosquitto would switch to a user that cannot read the test's files.
  runMosquitto(makeHome(), ports, ['user root', ...config.split('\n')]);

/** Debian's Mosquitto, which keeps sessions over a restart. */
export const startMosquitto = async ({ tls, accounts, acl, more = [] }: MosquittoOptions = {}): Promise<TestBroker> => {
  const home = makeHome();
  const [port, tlsPort] = [await freePort(), await freePort()];
  const write = (name: string, text: string): string => {
    const file = join(home, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const passwords = write('passwords', '');
  for (const [name, password] of Object.entries(accounts ?? {}))
    execFileSync('mosquitto_passwd', ['-b', passwords, name, password], { stdio: 'pipe' });
  const config = [
    // When started by root, Mosquitto would switch to a user that cannot read these files.
    'user root',
    'per_listener_settings false',
    ...(accounts ? ['allow_anonymous false', `password_file ${passwords}`] : ['allow_anonymous true']),
    ...(acl ? [`acl_file ${write('acl', acl)}`] : []),
    'persistence true',
    `persistence_location ${home}/`,
    'autosave_interval 1',
    'autosave_on_changes true',
    'max_queued_messages 0',
    `listener ${port} 127.0.0.1`,
    ...(tls ? [`listener ${tlsPort} 127.0.0.1`, `certfile ${tls.cert}`, `keyfile ${tls.key}`] : []),
    ...more,
  ];
  return runMosquitto(home, { port, tlsPort }, config);
};

/** `authUrl`: the HTTP authentication backend; `remembersMs`: how long RabbitMQ caches its answers. */
type RabbitOptions = { tls?: TlsFiles; authUrl?: (what: string) => string; remembersMs?: number };

/** Debian's RabbitMQ with its MQTT plugin, and its own epmd. */
export const startRabbit = async ({ tls, authUrl, remembersMs = 0 }: RabbitOptions = {}): Promise<TestBroker> => {
  const home = makeHome();
  const [port, tlsPort, nodePort, distPort, epmdPort] = await Promise.all([1, 2, 3, 4, 5].map(freePort));
  const place = { port: port ?? 0, tlsPort: tlsPort ?? 0, ports: [port ?? 0] };
  writeFileSync(join(home, 'plugins'), '[rabbitmq_mqtt,rabbitmq_auth_backend_http,rabbitmq_auth_backend_cache].\n');
  const config = [
    `listeners.tcp.1 = 127.0.0.1:${nodePort}`,
    `mqtt.listeners.tcp.1 = 127.0.0.1:${port}`,
    'mqtt.allow_anonymous = false',
    'mqtt.prefetch = 1000',
    ...(authUrl
      ? [
          // The configuration that the docs show to operators.
          ...blockOf('docs/zones.md', 'ini')
            .replaceAll(/https:\S+\/(\w+)\?key=\S+/g, (_url, what) => authUrl(what))
            .split('\n')
            .filter((line) => remembersMs === 0 || !line.startsWith('auth_backends.1')),
          ...(remembersMs > 0
            ? ['auth_backends.1 = cache', 'auth_cache.cached_backend = http', `auth_cache.cache_ttl = ${remembersMs}`]
            : []),
        ]
      : ['auth_backends.1 = internal']),
    ...(tls
      ? [
          `mqtt.listeners.ssl.1 = 127.0.0.1:${tlsPort}`,
          `ssl_options.cacertfile = ${tls.ca}`,
          `ssl_options.certfile = ${tls.cert}`,
          `ssl_options.keyfile = ${tls.key}`,
          'ssl_options.verify = verify_none',
        ]
      : []),
    'log.console = true',
    'log.console.level = warning',
    'log.file = false',
    'disk_free_limit.absolute = 50MB',
    'vm_memory_high_watermark.absolute = 500MB',
  ];
  writeFileSync(join(home, 'rabbitmq.conf'), `${config.join('\n')}\n`);
  const epmd = spawn('epmd', ['-port', String(epmdPort), '-address', '127.0.0.1'], { stdio: 'ignore' });
  const env = {
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `dc${port}@localhost`,
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(nodePort),
    RABBITMQ_CONFIG_FILE: join(home, 'rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(home, 'plugins'),
    RABBITMQ_MNESIA_BASE: join(home, 'mnesia'),
    RABBITMQ_LOG_BASE: join(home, 'log'),
    RABBITMQ_PID_FILE: join(home, 'pid'),
    RABBITMQ_CONF_ENV_FILE: join(home, 'none'),
    LANG: 'C.UTF-8',
  };
  const program: Program = { command: '/usr/lib/rabbitmq/bin/rabbitmq-server', args: [], env, stopWith: 'SIGTERM' };
  const endNames = async (): Promise<void> => {
    epmd.kill('SIGKILL');
    await ended(epmd);
  };
  return manage(home, place, program, endNames).catch(async (error: unknown) => {
    await endNames();
    throw error;
  });
};

/** A TCP proxy to a port of this machine whose connections can be dropped or blocked. */
export const createWire = async (to: number) => {
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = openSocket(to, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    /** Drops the open connections; new ones are accepted. */
    cut,
    /** Drops the open connections and rejects new ones until `restore`. */
    break: (): void => {
      whole = false;
      cut();
    },
    mend: (): void => {
      whole = true;
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        cut();
        server.close(() => resolve());
      }),
  };
};
