import { areHintsOn, createHints, type HintName } from './hints.ts';
import type { Log } from './log.ts';
import type { DeviceFigures } from './metrics.ts';

/** What the supervisor and its two sides tell each other. */
export type ToSupervisor =
  | { ready: { port: number; tlsPort?: number | null } }
  | { knowsDeviceSide: boolean }
  | { hint: HintName }
  | { figures: DeviceFigures };
export type ToSide =
  | { stop: true }
  | { figures: DeviceFigures }
  | { deviceSideUp: boolean; mqttPort: number; mqttsPort: number | null }
  | { hint: HintName };

/** The near end of a side: it reports when it is up, stops when told, and leaves with its supervisor. */
export const createSide = (log: Log) => {
  let figures: DeviceFigures | undefined;
  let deviceSide = { up: false, mqttPort: 0, mqttsPort: null as number | null };
  const tell = (message: ToSupervisor): void => {
    // A supervisor that has just died takes this side along in order, and not by an error nobody waits for.
    if (process.connected) process.send?.(message, () => undefined);
  };
  const hints = createHints((hint) => areHintsOn(process.env) && tell({ hint }));
  let stop: () => Promise<void> = async () => {};
  let stopping = false;

  const leave = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, 'stopping failed');
      process.exit(1);
    }
  };

  process.on('message', (message: ToSide) => {
    if ('stop' in message) void leave();
    else if ('hint' in message) hints.arrived(message.hint);
    else if ('figures' in message) figures = message.figures;
    else {
      deviceSide = { up: message.deviceSideUp, mqttPort: message.mqttPort, mqttsPort: message.mqttsPort };
      tell({ knowsDeviceSide: deviceSide.up });
    }
  });
  process.on('disconnect', () => process.exit(1));
  // Ctrl-C reaches the whole group; the supervisor says when each side stops.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void leave());

  return {
    hints,
    deviceSide: () => deviceSide,
    deviceFigures: () => (deviceSide.up ? figures : undefined),
    tellFigures: (figures: DeviceFigures): void => tell({ figures }),
    onStop: (work: () => Promise<void>): void => {
      stop = work;
    },
    /** A port that cannot be had is the operator's to mend, so it is told in words and not as a stack. */
    cannotListen: (setting: string, port: number, error: unknown): never => {
      const { code, message } = error as NodeJS.ErrnoException;
      const reasons = new Map([
        ['EADDRINUSE', 'is in use by another program'],
        ['EACCES', 'may not be used by this user'],
        ['EADDRNOTAVAIL', 'cannot be opened: HOST is not an address of this machine'],
      ]);
      process.stderr.write(
        `${setting} ${port} ${reasons.get(code ?? '') ?? message}; choose another with ${setting}=…\n`,
      );
      process.exit(1);
    },
    ready: (port: number, tlsPort: number | null = null): void => tell({ ready: { port, tlsPort } }),
  };
};
