import type { DeviceStats } from './metrics.ts';
import { createNotifier, type NotificationName } from './notifier.ts';

export type ProcessName = 'admin' | 'device';

type ReadyMessage = {
  /** For the ready line; '' if the process has no listener to show. */
  address: string;
  /** Address of MQTT with TLS, if the ready line shows another listener. */
  tlsAddress: string;
  /** null if the listener is off. */
  port: number | null;
  tlsPort: number | null;
  dataDir: string;
  /** DRAIN_TIME. */
  drainMs: number;
};

/** What a process sends to the supervisor. */
export type ToSupervisor =
  /** The database is migrated: the other process may start. */
  | { prepared: true }
  | { ready: ReadyMessage }
  | { knowsDeviceProcess: boolean }
  | { notification: NotificationName }
  | { stats: DeviceStats };

/** What the supervisor sends to a process. */
export type ToProcess =
  | { start: true }
  /** The hub stops soon and serves requests until then. */
  | { drain: true }
  | { stop: true }
  /** Reload certificates. */
  | { reload: true }
  | { stats: DeviceStats }
  | { deviceProcessUp: boolean; mqttPort: number | null; mqttsPort: number | null }
  | { notification: NotificationName };

/** Messages for the process itself, not for the channel. */
type Lifecycle = { start: true } | { drain: true } | { stop: true } | { reload: true };

/** A process's end of the channel to its supervisor. Works over any transport: IPC, or a function call in tests. */
export const createProcessChannel = (send: (message: ToSupervisor) => void, areNotificationsOn = true) => {
  let stats: DeviceStats | undefined;
  let deviceProcess = { up: false, mqttPort: null as number | null, mqttsPort: null as number | null };
  const notifier = createNotifier((notification) => areNotificationsOn && send({ notification }));

  return {
    notifier,
    notificationsOn: areNotificationsOn,
    deviceProcess: () => deviceProcess,
    deviceStats: () => (deviceProcess.up ? stats : undefined),
    sendStats: (stats: DeviceStats): void => send({ stats }),
    receive(message: Exclude<ToProcess, Lifecycle>): void {
      if ('notification' in message) notifier.deliver(message.notification);
      else if ('stats' in message) stats = message.stats;
      else {
        deviceProcess = { up: message.deviceProcessUp, mqttPort: message.mqttPort, mqttsPort: message.mqttsPort };
        send({ knowsDeviceProcess: deviceProcess.up });
      }
    },
  };
};

export type ProcessChannel = ReturnType<typeof createProcessChannel>;
