import { connectBoth, type Databases, type Db } from './db/connect.ts';
import { openNotificationChannel } from './notification-channel.ts';
import { watchClock } from './platform/clock-watch.ts';
import { inUrl } from './platform/in-url.ts';
import { ListenError } from './platform/listen-error.ts';
import { createLog, type Log } from './platform/log.ts';
import { areNotificationsOn } from './platform/notifier.ts';
import { STDERR, STDOUT, surviveLostOutput, writeOutput } from './platform/output.ts';
import { createPrivately } from './platform/private-files.ts';
import {
  createProcessChannel,
  type ProcessChannel,
  type ProcessName,
  type ToProcess,
  type ToSupervisor,
} from './platform/process-channel.ts';
import { readSettings, type Settings } from './platform/settings.ts';
import { readTlsFiles } from './platform/tls-files.ts';
import { trimHeapSoon } from './platform/trim-heap.ts';

export type ProcessDeps = {
  settings: Settings;
  /** Migrated and prepared. The process closes them when it stops. */
  databases: Databases;
  log: ReturnType<typeof createLog>;
  channel: ProcessChannel;
  /** The Unix socket on which the admin process passes MQTT over WebSocket to the device process. */
  deviceSocket: string | undefined;
  /** Another hub took this one's lease: the process cannot go on and has to be started again. */
  onLeaseExpired: () => void;
};

export type RunningProcess = {
  /** null if the listener is off. */
  port: number | null;
  tlsPort: number | null;
  /** From here on /health/ready returns 503; all requests are still served. */
  drain?: () => void;
  /** Reads certificates again. */
  reload?: () => void;
  /** Runs a periodic job now, for tests. */
  runJob: (name: string) => Promise<void>;
  stop: () => Promise<void>;
};

const fail = (error: unknown): never => {
  writeOutput(STDERR, `cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

const send = (message: ToSupervisor): void => {
  // Without a callback, a supervisor that has just died would end this process with an uncaught error.
  if (process.connected) process.send?.(message, () => undefined);
};

const showAccount = (username: string, password: string, note: string): void => {
  writeOutput(STDOUT, `\n  account   ${username}\n  password  ${password}   (one-time: ${note})\n\n`);
};

const prepare = async (settings: Settings, db: Db, log: Log): Promise<void> => {
  const { prepareInstallation } = await import('./startup/prepare.ts');
  readTlsFiles(settings);
  await prepareInstallation(settings, { db, log, showAccount, withDemo: process.argv.includes('--demo') });
};

/**
 * Runs one of the hub's two processes under the supervisor. Handles settings, signals, messages and exit codes, so that
 * tests can create the processes without it.
 */
export const runProcess = async (
  name: ProcessName,
  create: (deps: ProcessDeps) => Promise<RunningProcess>,
): Promise<void> => {
  surviveLostOutput();
  // Not in the supervisor, which is also part of `npm start`.
  createPrivately();
  let running: RunningProcess | undefined;
  let channel: ProcessChannel | undefined;
  let otherHubs: ReturnType<typeof openNotificationChannel> | undefined;
  let stopping = false;
  let allowStart: () => void = () => {};
  const startAllowed = new Promise<void>((resolve) => {
    allowStart = resolve;
  });

  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    try {
      if (running) log.info('stopping');
      await running?.stop();
      await otherHubs?.stop();
      if (running) log.info('stopped');
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'stop failed');
      process.exit(1);
    }
  };

  process.on('message', (message: ToProcess) => {
    if ('stop' in message) void stop();
    else if ('drain' in message) running?.drain?.();
    else if ('reload' in message) running?.reload?.();
    else if ('start' in message) allowStart();
    else {
      channel?.receive(message);
      if ('notification' in message) otherHubs?.send(message.notification);
    }
  });
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C, a closed terminal and systemd signal the whole process group; the supervisor decides what to do.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

  if (process.argv.includes('--wait')) await startAllowed;
  let settings: Settings;
  try {
    settings = readSettings(process.env);
  } catch (error) {
    return fail(error);
  }
  const log = createLog(name, settings.LOG_LEVEL);
  const restarted = process.argv.find((arg) => arg.startsWith('--restarted='));
  if (restarted) log.error({ endedWith: restarted.split('=')[1] }, 'process ended, started again');
  const databases = connectBoth(settings);
  if (process.argv.includes('--prepare')) {
    await prepare(settings, databases.db, log).catch(fail);
    send({ prepared: true });
  }

  const notificationsOn = areNotificationsOn(process.env);
  channel = createProcessChannel((message) => {
    send(message);
    if ('notification' in message) otherHubs?.send(message.notification);
  }, notificationsOn);
  // One process of a hub exchanges notifications with other hubs for both, and watches the clock.
  if (name === 'admin' || settings.PROCESSES === 'device') {
    watchClock(log);
    const { DATABASE_URL } = settings;
    if (DATABASE_URL && notificationsOn)
      otherHubs = openNotificationChannel({
        connectionString: DATABASE_URL,
        log,
        onNotification: (notification) => {
          channel?.receive({ notification });
          send({ notification });
        },
      });
  }

  try {
    const { DEVICE_SOCKET: deviceSocket } = process.env;
    running = await create({ settings, databases, log, channel, deviceSocket, onLeaseExpired: () => process.exit(1) });
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    writeOutput(STDERR, `${error.message}\n`);
    process.exit(1);
  }
  const { port, tlsPort } = running;
  const addressOf = (scheme: string, at: number | null): string =>
    at === null ? '' : `${scheme}://${inUrl(settings.HOST)}:${at}`;
  const tlsAddress = addressOf('mqtts', tlsPort);
  const address = addressOf(name === 'admin' ? 'http' : 'mqtt', port);
  const { DATA_DIR: dataDir, DRAIN_TIME: drainMs } = settings;
  send({
    ready: {
      address: address || tlsAddress,
      tlsAddress: address && tlsAddress,
      ...{ port, tlsPort, dataDir, drainMs },
    },
  });
  trimHeapSoon();
};
