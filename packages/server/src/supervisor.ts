import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { programUrl } from './platform/locations.ts';
import type { NotificationName } from './platform/notifier.ts';
import { STDERR, STDOUT, surviveLostOutput, writeOutput } from './platform/output.ts';
import type { ProcessName, ToProcess, ToSupervisor } from './platform/process-channel.ts';

const RESTART_FIRST_MS = 250;
const RESTART_MAX_MS = 10_000;
/** After running this long a process is healthy, and its next restart is quick. */
const HEALTHY_AFTER_MS = 60_000;
/** Time limit for stopping, after draining. */
const STOP_TIMEOUT_MS = 15_000;

/** Memory matters more than the last percent of speed: a small young generation is collected often. */
const SMALL_HEAP = ['--max-semi-space-size=1'];
/**
 * glibc settings: the 19 MiB of a password hash are returned to the system, also after the second hash, and the threads
 * of a process share two arenas instead of one each. Together this saves 5 to 20 MB in an idle hub.
 */
const SMALL_MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024) };

export type Ready = { httpPort: number | undefined; dataDir: string };

/**
 * PROCESSES is validated by the process that prepares the database; the supervisor only needs to know what to start.
 */
export const processesOf = ({ PROCESSES }: NodeJS.ProcessEnv): ProcessName[] =>
  PROCESSES === 'admin' || PROCESSES === 'device' ? [PROCESSES] : ['admin', 'device'];

type SupervisorOptions = {
  processes: ProcessName[];
  /** The Node that runs the processes, and their environment. */
  execPath: string;
  env: NodeJS.ProcessEnv;
  /** Options of the hub, such as `--demo`. */
  args: string[];
  onReady?: (ready: Ready) => void;
};

/**
 * Starts the hub's processes, restarts one that ends, stops them and passes messages between them. Imports almost
 * nothing: the first process prepares the database while the other one is still loading its modules.
 */
export const startSupervisor = ({ processes, execPath, env, args, onReady }: SupervisorOptions) => {
  /**
   * Socket on which the admin process passes on WebSocket connections. A path in DATA_DIR could be too long for a
   * socket.
   */
  const deviceSocket = join(tmpdir(), `device-center-${process.pid}-${randomBytes(6).toString('hex')}.sock`);
  const children = new Map<ProcessName, ChildProcess>();
  const readyMessages = new Map<ProcessName, Extract<ToSupervisor, { ready: unknown }>['ready']>();
  const [first] = processes;
  let stopping = false;
  let announced = false;
  let prepared = false;
  /** The admin process serves /health/ready, so it must know the device process before the ready line. */
  let adminIsReady = processes.length === 1;
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  const announce = (): void => {
    if (announced || !adminIsReady || processes.some((name) => !readyMessages.has(name))) return;
    announced = true;
    const inOrder = (['admin', 'device'] as const).flatMap((name) => readyMessages.get(name) ?? []);
    for (const { tlsAddress } of inOrder) if (tlsAddress) writeOutput(STDOUT, `MQTT with TLS: ${tlsAddress}\n`);
    writeOutput(STDOUT, `ready ${inOrder.map(({ address }) => address).join(' ')}\n`);
    onReady?.({ httpPort: readyMessages.get('admin')?.port ?? undefined, dataDir: inOrder[0]?.dataDir ?? '' });
  };

  const send = (name: ProcessName, message: ToProcess): void => {
    const child = children.get(name);
    // The child may have just exited: without a callback the error would end the supervisor. Its exit is handled below.
    if (child?.connected) child.send(message, () => undefined);
  };

  /** A notification is lost while the other process is down. */
  const forward = (notification: NotificationName, from: ProcessName): void => {
    for (const name of processes) if (name !== from) send(name, { notification });
  };

  const sendDeviceState = (deviceProcessUp: boolean): void => {
    const { port: mqttPort = null, tlsPort: mqttsPort = null } = readyMessages.get('device') ?? {};
    send('admin', { deviceProcessUp, mqttPort, mqttsPort });
  };

  const receive = (name: ProcessName, message: ToSupervisor): void => {
    if ('notification' in message) forward(message.notification, name);
    else if ('stats' in message) send('admin', message);
    else if ('prepared' in message) {
      prepared = true;
      for (const other of processes) if (other !== name) send(other, { start: true });
    } else if ('knowsDeviceProcess' in message) {
      adminIsReady ||= message.knowsDeviceProcess;
      announce();
    } else {
      readyMessages.set(name, message.ready);
      sendDeviceState(readyMessages.has('device') && children.get('device')?.connected === true);
      announce();
    }
  };

  /** When the hub starts, one process prepares the database and the others wait. */
  const startArgs = (name: ProcessName, endedWith?: string): string[] => {
    if (endedWith !== undefined) return [`--restarted=${endedWith}`];
    return name === first ? ['--prepare', ...args] : ['--wait'];
  };

  /** A restarted process reuses its ports, also if it had chosen a free one. */
  const portsOf = (name: ProcessName): NodeJS.ProcessEnv => {
    const { port = null, tlsPort = null } = readyMessages.get(name) ?? {};
    return {
      ...(port === null ? {} : { [name === 'admin' ? 'PORT' : 'MQTT_PORT']: String(port) }),
      ...(tlsPort === null ? {} : { MQTTS_PORT: String(tlsPort) }),
    };
  };

  const start = (name: ProcessName, delay: number, endedWith?: string): void => {
    const child = fork(programUrl(`${name}.ts`), startArgs(name, endedWith), {
      env: { ...SMALL_MALLOC, ...env, DEVICE_SOCKET: deviceSocket, ...portsOf(name) },
      execPath,
      execArgv: [...process.execArgv, ...SMALL_HEAP],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const startedAt = Date.now();
    children.set(name, child);
    child.on('message', (message: ToSupervisor) => receive(name, message));
    const onEnd = (how: string): void => {
      if (stopping) return;
      if (!announced) {
        if (prepared) writeOutput(STDERR, `cannot start: the ${name} process ended while starting; see above\n`);
        void stop(1);
        return;
      }
      if (name === 'device') sendDeviceState(false);
      const next = Date.now() - startedAt > HEALTHY_AFTER_MS ? RESTART_FIRST_MS : Math.min(delay * 2, RESTART_MAX_MS);
      setTimeout(() => !stopping && start(name, next, how), delay);
    };
    child.on('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
    // A process that failed to start emits no exit; without a listener its error would end the supervisor.
    child.on('error', (error) => child.pid === undefined && onEnd(error.message));
  };

  const stop = async (exitCode = 0): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const running = [...children.values()].filter((child) => child.exitCode === null && child.signalCode === null);
    const allExited = Promise.all(running.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    if (announced) await drain(allExited);
    for (const name of children.keys()) send(name, { stop: true });
    const timer = setTimeout(() => kill(), STOP_TIMEOUT_MS);
    await allExited;
    clearTimeout(timer);
    end(exitCode);
  };

  /** Serves requests until load balancers have noticed at /health/ready that this hub stops. */
  const drain = async (allExited: Promise<unknown>): Promise<void> => {
    const drainMs = Math.max(...[...readyMessages.values()].map((ready) => ready.drainMs));
    if (drainMs === 0) return;
    for (const name of children.keys()) send(name, { drain: true });
    await Promise.race([allExited, sleep(drainMs)]);
  };

  const kill = (): void => {
    for (const child of children.values()) child.kill('SIGKILL');
  };

  surviveLostOutput();
  for (const name of processes) start(name, RESTART_FIRST_MS);
  return {
    /** The exit code of the hub, once all its processes have ended. */
    ended,
    stop: (): void => void stop(),
    reload: (): void => {
      for (const name of children.keys()) send(name, { reload: true });
    },
    kill,
  };
};
