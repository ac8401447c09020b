import { connectBoth, type Databases, type Db } from './db/connect.ts';
import { openHintChannel } from './db/notification-channel.ts';
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
  /** null where the listener is off. */
  port: number | null;
  tlsPort: number | null;
  /** From here on /health/ready answers 503; everything is served as before. */
  drain?: () => void;
  /** Reads certificates again. */
  reload?: () => void;
  /** Runs a periodic job now; a test need not wait for its time. */
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
  const { prepareInstallation } = await import('./prepare.ts');
  readTlsFiles(settings);
  await prepareInstallation(settings, { db, log, showAccount, withDemo: process.argv.includes('--demo') });
};

/**
 * Runs one of the hub's two processes under its supervisor: settings, signals, messages and exit codes are dealt with
 * here, so that the processes themselves can also be created by tests.
 */
export const runProcess = async (
  name: ProcessName,
  create: (deps: ProcessDeps) => Promise<RunningProcess>,
): Promise<void> => {
  surviveLostOutput();
  // Here and not in the supervisor, which is also part of `npm start`.
  createPrivately();
  let running: RunningProcess | undefined;
  let channel: ProcessChannel | undefined;
  let otherHubs: ReturnType<typeof openHintChannel> | undefined;
  let stopping = false;
  let begin: () => void = () => {};
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
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
      log.error({ err: error }, 'stopping failed');
      process.exit(1);
    }
  };

  process.on('message', (message: ToProcess) => {
    if ('stop' in message) void stop();
    else if ('drain' in message) running?.drain?.();
    else if ('reload' in message) running?.reload?.();
    else if ('start' in message) begin();
    else {
      channel?.receive(message);
      if ('hint' in message) otherHubs?.send(message.hint);
    }
  });
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C, the end of a terminal and systemd reach the whole process group; the supervisor decides what follows.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

  if (process.argv.includes('--wait')) await mayBegin;
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

  const hintsOn = areNotificationsOn(process.env);
  channel = createProcessChannel((message) => {
    send(message);
    if ('hint' in message) otherHubs?.send(message.hint);
  }, hintsOn);
  // One process of a hub speaks for both to other hubs, and watches the clock.
  if (name === 'admin' || settings.PROCESSES === 'device') {
    watchClock(log);
    const { DATABASE_URL } = settings;
    if (DATABASE_URL && hintsOn)
      otherHubs = openHintChannel({
        connectionString: DATABASE_URL,
        log,
        arrived: (hint) => {
          channel?.receive({ hint });
          send({ hint });
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
