import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdminProcess } from '../src/admin-process.ts';
import { connectBoth } from '../src/db/connect.ts';
import { createDeviceProcess } from '../src/device-process.ts';
import { inUrl } from '../src/platform/in-url.ts';
import { createLog } from '../src/platform/log.ts';
import { areNotificationsOn } from '../src/platform/notifier.ts';
import {
  createProcessChannel,
  type ProcessChannel,
  type ProcessName,
  type ToSupervisor,
} from '../src/platform/process-channel.ts';
import { readSettings, type Settings } from '../src/platform/settings.ts';
import { postgresServer } from './engine.ts';
import { ADMIN_PASSWORD, prepare } from './environment.ts';
import { createFixtures, createHub, type HubOf } from './hub.ts';
import { testSettings } from './hub-process.ts';

const createSettings = (env: Record<string, string>): Settings => readSettings({ ...testSettings, ...env });

/** A hub that runs in this process: both of its processes, connected by function calls. Its database is migrated. */
export const startPreparedHub = async (env: Record<string, string>) => {
  const settings = createSettings(env);
  let lines = '';
  let stopped: Promise<number> | undefined;
  const write = (line: string): void => {
    lines += line;
  };
  const logOf = (name: ProcessName) => createLog(name, settings.LOG_LEVEL, { write });
  const deviceSocket = join(tmpdir(), `device-center-${randomBytes(6).toString('hex')}.sock`);

  // Asynchronous, as over IPC.
  const passTo =
    (receiver: () => ProcessChannel) =>
    (message: ToSupervisor): void => {
      if ('notification' in message || 'stats' in message) setImmediate(() => receiver().receive(message));
    };
  const notificationsOn = areNotificationsOn(env);
  const admin = createProcessChannel(
    passTo(() => device),
    notificationsOn,
  );
  const device = createProcessChannel(
    passTo(() => admin),
    notificationsOn,
  );
  const common = {
    settings,
    deviceSocket,
    onLeaseExpired: () => {
      throw new Error('the lease of a hub in a test was taken over');
    },
  };
  const deviceProcess = await createDeviceProcess({
    ...common,
    databases: connectBoth(settings),
    log: logOf('device'),
    channel: device,
  });
  const { port: mqttPort, tlsPort: mqttsPort } = deviceProcess;
  const adminProcess = await createAdminProcess({
    ...common,
    databases: connectBoth(settings),
    log: logOf('admin'),
    channel: admin,
  });
  admin.receive({ deviceProcessUp: true, mqttPort, mqttsPort });
  return {
    url: `http://${inUrl(settings.HOST)}:${adminProcess.port}`,
    mqttPort: mqttPort ?? 0,
    /** The logged lines. */
    errors: () => lines,
    /** Runs a periodic job of the admin process now. */
    runJob: adminProcess.runJob,
    /** Runs a periodic job of the device process now. */
    runDeviceJob: deviceProcess.runJob,
    /** Stops the hub once, also when called repeatedly; returns the exit code of a spawned hub. */
    stop: (): Promise<number> => {
      stopped ??= Promise.all([adminProcess.stop(), deviceProcess.stop()]).then(() => 0);
      return stopped;
    },
  };
};

export type InProcessHub = HubOf<Awaited<ReturnType<typeof startPreparedHub>>>;

/** The same on any database: migrates and prepares it first, as every start does. */
export const startInProcessHub = async (env: Record<string, string>) => {
  await prepare({ ...testSettings, ...env });
  return startPreparedHub(env);
};

/** A separate hub, for tests with other settings or that count all rows. */
export const startHub = (
  extra: Record<string, string> = {},
  where?: Parameters<typeof createHub>[2],
): Promise<InProcessHub> =>
  createHub({ first: extra.SECRET_KEY ? startInProcessHub : startPreparedHub, again: startInProcessHub }, extra, where);

const shared = new Map<string | undefined, Promise<InProcessHub>>();

/**
 * The hub that the test files of a worker share, one for each engine. Each test creates a tenant of its own in it, as
 * customers in production do.
 */
export const sharedHub = async (): Promise<InProcessHub> => {
  const server = postgresServer();
  const starting = shared.get(server) ?? startHub();
  shared.set(server, starting);
  const hub = await starting;
  // A session per file: a test may end the administrator's other sessions.
  const admin = await hub.login('admin', ADMIN_PASSWORD);
  return { ...hub, admin, create: createFixtures({ ...hub, admin }), close: async () => undefined };
};
