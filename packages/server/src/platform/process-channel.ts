import type { DeviceFigures } from './metrics.ts';
import { createNotifier, type NotificationName } from './notifier.ts';

export type ProcessName = 'admin' | 'device';

type ReadyMessage = {
  /** For the ready line; nothing where the process has no listener of its own to name. */
  address: string;
  /** Of MQTT with TLS, where the ready line names another listener. */
  tlsAddress: string;
  /** null where the listener is off. */
  port: number | null;
  tlsPort: number | null;
  dataDir: string;
  /** DRAIN_TIME. */
  drainMs: number;
};

/** What a process sends to the supervisor. */
export type ToSupervisor =
  /** The database is migrated: the other process may begin. */
  | { prepared: true }
  | { ready: ReadyMessage }
  | { knowsDeviceProcess: boolean }
  | { hint: NotificationName }
  | { figures: DeviceFigures };

/** What the supervisor sends to a process. */
export type ToProcess =
  | { start: true }
  /** It stops soon and goes on serving until then. */
  | { drain: true }
  | { stop: true }
  /** Certificates are read again. */
  | { reload: true }
  | { figures: DeviceFigures }
  | { deviceProcessUp: boolean; mqttPort: number | null; mqttsPort: number | null }
  | { hint: NotificationName };

/** What concerns the process itself and not its connection to the other one. */
type Lifecycle = { start: true } | { drain: true } | { stop: true } | { reload: true };

/** A process's end of the connection to its supervisor. It works over any transport: IPC, or a function call in tests. */
export const createProcessChannel = (send: (message: ToSupervisor) => void, areNotificationsOn = true) => {
  let figures: DeviceFigures | undefined;
  let deviceProcess = { up: false, mqttPort: null as number | null, mqttsPort: null as number | null };
  const hints = createNotifier((hint) => areNotificationsOn && send({ hint }));

  return {
    hints,
    hintsOn: areNotificationsOn,
    deviceProcess: () => deviceProcess,
    deviceFigures: () => (deviceProcess.up ? figures : undefined),
    sendFigures: (figures: DeviceFigures): void => send({ figures }),
    receive(message: Exclude<ToProcess, Lifecycle>): void {
      if ('hint' in message) hints.arrived(message.hint);
      else if ('figures' in message) figures = message.figures;
      else {
        deviceProcess = { up: message.deviceProcessUp, mqttPort: message.mqttPort, mqttsPort: message.mqttsPort };
        send({ knowsDeviceProcess: deviceProcess.up });
      }
    },
  };
};

export type ProcessChannel = ReturnType<typeof createProcessChannel>;
