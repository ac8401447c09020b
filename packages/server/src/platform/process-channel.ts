import { createHints, type HintName } from './hints.ts';
import type { DeviceFigures } from './metrics.ts';

export type ProcessName = 'admin' | 'device';

/** What a process sends to the supervisor. */
export type ToSupervisor =
  /** The database is migrated: the other process may begin. */
  | { prepared: true }
  | { ready: { address: string; port: number; tlsPort: number | null; dataDir: string } }
  | { knowsDeviceProcess: boolean }
  | { hint: HintName }
  | { figures: DeviceFigures };

/** What the supervisor sends to a process. */
export type ToProcess =
  | { start: true }
  | { stop: true }
  | { figures: DeviceFigures }
  | { deviceProcessUp: boolean; mqttPort: number; mqttsPort: number | null }
  | { hint: HintName };

/** A process's end of the connection to its supervisor. It works over any transport: IPC, or a function call in tests. */
export const createProcessChannel = (send: (message: ToSupervisor) => void, areHintsOn = true) => {
  let figures: DeviceFigures | undefined;
  let deviceProcess = { up: false, mqttPort: 0, mqttsPort: null as number | null };
  const hints = createHints((hint) => areHintsOn && send({ hint }));

  return {
    hints,
    hintsOn: areHintsOn,
    deviceProcess: () => deviceProcess,
    deviceFigures: () => (deviceProcess.up ? figures : undefined),
    sendFigures: (figures: DeviceFigures): void => send({ figures }),
    receive(message: Exclude<ToProcess, { start: true } | { stop: true }>): void {
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
