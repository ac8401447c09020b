import type { DeviceCodeName } from '@device-center/contract';
import { vi } from 'vitest';
import { startMqttServer } from '../../src/mqtt/mqtt-server.ts';
import type {
  AcceptedConnect,
  ClientHandle,
  ConnectRequest,
  DisconnectReason,
  MqttServer,
  RejectedConnect,
  ServerOptions,
} from '../../src/mqtt/server-types.ts';
import type { Log } from '../../src/platform/log.ts';
import { downTopic, upTopic } from './bytes.ts';

/** The server's events of one connection. */
export type Seen = {
  request: ConnectRequest;
  connection: ClientHandle;
  received: string[];
  qos: number[];
  /** With `byHand`: one function per message that acknowledges it. */
  acknowledge: (() => void)[];
  closed: { reason: DisconnectReason; detail: string }[];
};

type TestOptions = Partial<Omit<ServerOptions, 'authorize' | 'log'>> & {
  /** The test acknowledges messages itself; by default they are acknowledged at once. */
  byHand?: boolean;
  onReceive?: (seen: Seen, payload: Buffer) => void;
};

export type TestServer = MqttServer & {
  port: number;
  /** Client ids in the order of their CONNECTs. */
  clientIds: string[];
  seen: Seen[];
  /** With `byHand`: acknowledges the messages of all clients, in the order of arrival. */
  waiting: (() => void)[];
  /** Waits for the latest accepted connection of a client. */
  of: (clientId: string) => Promise<Seen>;
  /** All log entries. */
  logged: { level: string; fields: Record<string, unknown>; message: string }[];
  /** Accepts the pending CONNECTs with the password `slow`. */
  acceptSlow: () => void;
};

const recordingLog = (logged: TestServer['logged']): Log => {
  const write =
    (level: string) =>
    (fields: unknown, message = ''): void => {
      logged.push({ level, fields: fields as Record<string, unknown>, message });
    };
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, write(level)]);
  return Object.fromEntries(levels);
};

/** An MQTT server whose handlers are the test: it authorizes by password and stores all messages. */
export const startTestServer = async ({
  byHand = false,
  onReceive,
  ...options
}: TestOptions = {}): Promise<TestServer> => {
  const clientIds: string[] = [];
  const seen: Seen[] = [];
  const waiting: (() => void)[] = [];
  const logged: TestServer['logged'] = [];
  let acceptSlow: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => {
    acceptSlow = resolve;
  });

  const admitted = (request: ConnectRequest, connection: ClientHandle): AcceptedConnect => {
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

  const authorize = async (
    request: ConnectRequest,
    connection: ClientHandle,
  ): Promise<AcceptedConnect | RejectedConnect> => {
    clientIds.push(request.clientId);
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
    // Tests cause more failed CONNECTs from one address than devices.
    limits: { failedPerAddress: 1_000_000, ...options.limits },
    authorize,
    log: recordingLog(logged),
  });
  return {
    ...gateway,
    port: gateway.port ?? 0,
    clientIds,
    seen,
    waiting,
    logged,
    acceptSlow,
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

/** Polls until the condition holds. */
export const until = (holds: () => boolean, what: string, timeout = 30_000): Promise<void> =>
  vi.waitFor(
    () => {
      if (!holds()) throw new Error(`still waiting: ${what}`);
    },
    { interval: 2, timeout },
  );
