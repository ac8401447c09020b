import type { DeviceCodeName } from '@device-center/contract';
import { vi } from 'vitest';
import { startMqttServer } from '../../src/mqtt/mqtt-server.ts';
import type {
  Admitted,
  Connection,
  ConnectRequest,
  DisconnectReason,
  Gateway,
  GatewayOptions,
  Refusal,
} from '../../src/mqtt/server-types.ts';
import type { Log } from '../../src/platform/log.ts';
import { downTopic, upTopic } from './bytes.ts';

/** What the device side saw of one connection. */
export type Seen = {
  request: ConnectRequest;
  connection: Connection;
  received: string[];
  qos: number[];
  /** One for each message, when the gateway is told to wait. */
  acknowledge: (() => void)[];
  closed: { reason: DisconnectReason; detail: string }[];
};

type TestOptions = Partial<Omit<GatewayOptions, 'admit' | 'log'>> & {
  /** Messages are acknowledged as they come, unless a test does it by hand. */
  byHand?: boolean;
  onReceive?: (seen: Seen, payload: Buffer) => void;
};

export type TestGateway = Gateway & {
  port: number;
  /** Client ids in the order in which they asked to be admitted. */
  asked: string[];
  seen: Seen[];
  /** What is to be acknowledged by hand, of all clients in the order of arrival. */
  waiting: (() => void)[];
  /** The latest connection of a client, once it was admitted. */
  of: (clientId: string) => Promise<Seen>;
  /** Every line of the log, as it was written. */
  logged: { level: string; fields: Record<string, unknown>; message: string }[];
  /** Lets the admissions of the password `slow` go on. */
  admitSlow: () => void;
};

const recordingLog = (logged: TestGateway['logged']): Log => {
  const write =
    (level: string) =>
    (fields: unknown, message = ''): void => {
      logged.push({ level, fields: fields as Record<string, unknown>, message });
    };
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, write(level)]);
  return Object.fromEntries(levels);
};

/** A gateway whose device side is the test: it admits by password and keeps what it is handed. */
export const startTestGateway = async ({
  byHand = false,
  onReceive,
  ...options
}: TestOptions = {}): Promise<TestGateway> => {
  const asked: string[] = [];
  const seen: Seen[] = [];
  const waiting: (() => void)[] = [];
  const logged: TestGateway['logged'] = [];
  let admitSlow: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => {
    admitSlow = resolve;
  });

  const admitted = (request: ConnectRequest, connection: Connection): Admitted => {
    const one: Seen = { request, connection, received: [], qos: [], acknowledge: [], closed: [] };
    seen.push(one);
    return {
      accepted: true,
      upTopic: upTopic(request.clientId),
      downTopic: downTopic(request.clientId),
      receive(payload, qos, acknowledge) {
        one.received.push(payload.toString());
        one.qos.push(qos);
        onReceive?.(one, payload);
        if (!byHand) return acknowledge();
        one.acknowledge.push(acknowledge);
        waiting.push(acknowledge);
      },
      closed: (reason, detail) => one.closed.push({ reason, detail }),
    };
  };

  const admit = async (request: ConnectRequest, connection: Connection): Promise<Admitted | Refusal> => {
    asked.push(request.clientId);
    const [word, cause] = request.password.split(':');
    if (word === 'refuse') return { accepted: false, cause: cause as DeviceCodeName };
    if (word === 'throw') throw new Error('the device side failed');
    if (word === 'never') return new Promise(() => undefined);
    if (word === 'slow') await slow;
    return admitted(request, connection);
  };

  const gateway = await startMqttServer({
    host: '127.0.0.1',
    port: 0,
    ...options,
    // Tests fail from one address more often than devices would.
    limits: { failedPerAddress: 1_000_000, ...options.limits },
    admit,
    log: recordingLog(logged),
  });
  return {
    ...gateway,
    port: gateway.port ?? 0,
    asked,
    seen,
    waiting,
    logged,
    admitSlow,
    of: (clientId) =>
      vi.waitFor(
        () => {
          const found = seen.findLast(({ request }) => request.clientId === clientId);
          if (!found) throw new Error(`${clientId} is not admitted`);
          return found;
        },
        { interval: 2, timeout: 30_000 },
      ),
  };
};

/** Waits for the thing itself. */
export const until = (holds: () => boolean, what: string, timeout = 30_000): Promise<void> =>
  vi.waitFor(
    () => {
      if (!holds()) throw new Error(`still waiting: ${what}`);
    },
    { interval: 2, timeout },
  );
