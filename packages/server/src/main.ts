import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aloneAtStart } from './db/alone.ts';
import { compareClocks } from './db/clock.ts';
import { connect, type Db } from './db/connect.ts';
import { prepareSearch } from './db/device-search.ts';
import { prepareTotals } from './db/device-totals.ts';
import { openHintChannel } from './db/hint-channel.ts';
import { holdToSecretKey } from './db/key-fingerprint.ts';
import { migrate } from './db/migrate.ts';
import { holdToSharedFolder } from './db/shared-folder.ts';
import { firstBoot } from './first-boot.ts';
import type { DemoAccount } from './library/demo/seed.ts';
import { seedLibrary } from './library/seed.ts';
import { watchClock } from './platform/clock-watch.ts';
import { prepareFileStore } from './platform/file-store/folder.ts';
import { areHintsOn, type HintName } from './platform/hints.ts';
import { inUrl } from './platform/in-url.ts';
import { createLog } from './platform/log.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { readSettings, type Settings, settingsHelp } from './platform/settings.ts';
import type { ToSide, ToSupervisor } from './platform/side.ts';
import { readTlsFiles } from './platform/tls-files.ts';

/** The supervisor: settings, migrate, start its sides, restart, stop, pass hints on; nothing else. */

type SideName = 'admin' | 'device';

const RESTART_FIRST_MS = 250;
const RESTART_MAX_MS = 10_000;
/** Files pass through the admin side: what has passed is let go soon, and not when there is a lot of it. */
const TIDY = ['--max-semi-space-size=2'];
/** A side that lived this long is healthy again, and its next restart is quick. */
const HEALTHY_AFTER_MS = 60_000;
const STOP_WITHIN_MS = 15_000;

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(`Device Center needs Node 24 or newer; this is ${process.version}. Start it with: npm start\n`);
  process.exit(1);
}

if (process.argv.includes('--help')) {
  process.stdout.write(
    `Device Center\n\n  --demo  adds two demonstration companies, once: 200 devices, a month of history, a fleet that lives\n  --help  prints this\n\nSettings, from the environment [and what they are when missing]:\n${settingsHelp()}\n`,
  );
  process.exit(0);
}

const fail = (error: unknown): never => {
  process.stderr.write(`cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

/** In a process of its own: the memory that a month of history takes goes with it. */
const prepareDemo = (): Promise<DemoAccount[]> =>
  new Promise((resolve, reject) => {
    const maker = fork(new URL('./library/demo/process.ts', import.meta.url), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    maker.once('message', (accounts: DemoAccount[]) => resolve(accounts));
    maker.once('exit', () => reject(new Error('the demonstration could not be made; the reason is above')));
  });

const prepareDatabase = async (db: Db, settings: Settings): Promise<void> => {
  await compareClocks(db, log);
  await prepareSearch(db);
  await prepareTotals(db);
  await holdToSecretKey(db, createSecretBox(settings));
  if (settings.SIDES !== 'device') {
    prepareFileStore(settings);
    await holdToSharedFolder(db, settings);
  }
  const account = await firstBoot(db, settings);
  // At once, not with the ready line: it is shown only here, also where something then fails.
  if (account?.oneTimePassword)
    process.stdout.write(
      `\n  account   ${account.username}\n  password  ${account.oneTimePassword}   (one-time: you will be asked to change it)\n\n`,
    );
  await seedLibrary(db);
};

const prepare = async (settings: Settings): Promise<void> => {
  const migrations = await migrate(settings);
  if (migrations.length > 0) log.info({ migrations }, 'database migrated');
  const db = connect(settings);
  try {
    await prepareDatabase(db, settings);
  } finally {
    await db.destroy();
  }
  const demoAccounts = process.argv.includes('--demo') ? await prepareDemo() : [];
  for (const { tenancyName, username, oneTimePassword } of demoAccounts)
    process.stdout.write(`  account   ${username}\n  password  ${oneTimePassword}   (one-time: ${tenancyName})\n\n`);
};

const readAll = (): Settings => {
  try {
    const settings = readSettings(process.env);
    readTlsFiles(settings);
    return settings;
  } catch (error) {
    return fail(error);
  }
};

const settings = readAll();
const log = createLog('supervisor', settings.LOG_LEVEL);
await aloneAtStart(settings, () => prepare(settings)).catch(fail);

/** Where the admin side hands over WebSocket connections of devices. A path in DATA_DIR could be too long for a socket. */
const deviceSocket = join(tmpdir(), `device-center-${process.pid}-${randomBytes(6).toString('hex')}.sock`);

const sides = new Map<SideName, ChildProcess>();
const ports = new Map<SideName, number>();
let mqttsPort: number | null = null;
let stopping = false;
let announced = false;
/** The admin side answers whether the hub is ready, and must know of the other before anybody asks. */
let adminKnows = settings.SIDES !== 'both';

const own: SideName[] = settings.SIDES === 'both' ? ['device', 'admin'] : [settings.SIDES];

const announce = (): void => {
  if (announced || !adminKnows || own.some((name) => !ports.has(name))) return;
  announced = true;
  const [http, mqtt] = [ports.get('admin'), ports.get('device')];
  const host = inUrl(settings.HOST);
  const addresses = [
    ...(http === undefined ? [] : [`http://${host}:${http}`]),
    ...(mqtt === undefined ? [] : [`mqtt://${host}:${mqtt}`]),
  ];
  process.stdout.write(`ready ${addresses.join(' ')}\n`);
  if (process.connected && http !== undefined) process.send?.({ ready: { http, dataDir: settings.DATA_DIR } });
};

const tell = (name: SideName, message: ToSide): void => {
  const side = sides.get(name);
  // It may have died a moment ago: without somebody to tell, that would end the supervisor too. Its exit is dealt with.
  if (side?.connected) side.send(message, () => undefined);
};

/** With a side away it is lost, as hints may be. */
const passOn = (hint: HintName, from?: SideName): void => {
  for (const name of own) if (name !== from) tell(name, { hint });
};

const otherHubs =
  settings.DATABASE_URL && areHintsOn(process.env)
    ? openHintChannel({ connectionString: settings.DATABASE_URL, log, arrived: (hint) => passOn(hint) })
    : undefined;

const tellOfDeviceSide = (deviceSideUp: boolean): void =>
  tell('admin', { deviceSideUp, mqttPort: ports.get('device') ?? 0, mqttsPort });

const start = (name: SideName, delay: number): void => {
  // A side that comes back takes the port it had, also where a free one was asked for.
  const port = ports.get(name);
  const portName = name === 'admin' ? 'PORT' : 'MQTT_PORT';
  const env = {
    ...process.env,
    DEVICE_SOCKET: deviceSocket,
    ...(port === undefined ? {} : { [portName]: String(port) }),
  };
  const side = fork(new URL(`./${name}.ts`, import.meta.url), {
    env,
    execArgv: [...process.execArgv, ...(name === 'admin' ? TIDY : [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const startedAt = Date.now();
  sides.set(name, side);
  side.on('message', (message: ToSupervisor) => {
    if ('hint' in message) {
      passOn(message.hint, name);
      otherHubs?.send(message.hint);
      return;
    }
    if ('figures' in message) {
      tell('admin', message);
      return;
    }
    if ('knowsDeviceSide' in message) {
      adminKnows ||= message.knowsDeviceSide;
      announce();
      return;
    }
    ports.set(name, message.ready.port);
    if (name === 'device') mqttsPort = message.ready.tlsPort ?? null;
    tellOfDeviceSide(ports.has('device') && sides.get('device')?.connected === true);
    announce();
  });
  side.on('exit', (code, signal) => {
    if (stopping) return;
    if (!announced) fail(new Error(`the ${name} side ended while starting; its reason is above`));
    log.error({ side: name, code, signal }, 'side ended, starting it again');
    if (name === 'device') tellOfDeviceSide(false);
    const next = Date.now() - startedAt > HEALTHY_AFTER_MS ? RESTART_FIRST_MS : Math.min(delay * 2, RESTART_MAX_MS);
    setTimeout(() => !stopping && start(name, next), delay);
  });
};

const stop = async (): Promise<void> => {
  if (stopping) return;
  stopping = true;
  const running = [...sides.values()].filter((side) => side.exitCode === null && side.signalCode === null);
  const gone = running.map((side) => new Promise((resolve) => side.once('exit', resolve)));
  for (const name of sides.keys()) tell(name, { stop: true });
  const timer = setTimeout(() => {
    for (const side of running) side.kill('SIGKILL');
  }, STOP_WITHIN_MS);
  await Promise.all(gone);
  clearTimeout(timer);
  await otherHubs?.stop();
  process.exit(0);
};

process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
// Whoever started the hub with a channel takes it along when gone.
process.on('disconnect', () => void stop());

watchClock(log);
for (const name of own) start(name, RESTART_FIRST_MS);
