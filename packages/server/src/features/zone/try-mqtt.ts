import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { connectBroker } from '../../mqtt/connect-broker.ts';
import { NodeFailure, toNodeFailure } from '../../platform/outbound/node-failure.ts';
import { withAbort } from '../../platform/with-abort.ts';

type Account = { username: string; password: string };
export type MqttStep = 'login' | 'subscribe' | 'publish';

type MqttTest = {
  open: () => Promise<Socket>;
  at: { host: string; port: number };
  account: Account;
  routeKey: string;
  signal: AbortSignal;
  done: (step: MqttStep, note: string) => void;
};

/** A message to the own subscription arrives within this time, or the broker does not allow the topic. */
const ECHO_TIMEOUT_MS = 3_000;

/** Logs in, subscribes and publishes as the hub's own connection would. */
export const tryMqtt = async ({ open, at, account, routeKey, signal, done }: MqttTest): Promise<void> => {
  const filter = `${routeKey}/dc-test/#`;
  const topic = `${routeKey}/dc-test/${randomBytes(6).toString('hex')}`;
  const echoed = Promise.withResolvers<void>();
  const closed = new AbortController();
  const broker = await connectBroker({
    open,
    at,
    clientId: `dc-test-${randomBytes(6).toString('hex')}`,
    username: account.username,
    password: account.password,
    keepSession: false,
    signal,
    receive: (receivedTopic, _payload, acknowledge) => {
      acknowledge();
      if (receivedTopic === topic) echoed.resolve();
    },
    closed: () => closed.abort(),
  });

  /** A broker rejects a topic with an error code or by closing the connection; both mean the topic is not allowed. */
  const subscribe = async (): Promise<void> => {
    const granted = await withAbort(broker.subscribe(filter), signal).catch((error: unknown) => {
      const failure = toNodeFailure(error, at);
      if (failure.problem !== 'closed') throw failure;
      return false;
    });
    if (!granted) throw new NodeFailure('topic', { topic: filter });
  };

  /** Some brokers acknowledge messages that they drop, so only a message that comes back counts. */
  const publish = async (): Promise<void> => {
    const deadline = AbortSignal.any([signal, closed.signal, AbortSignal.timeout(ECHO_TIMEOUT_MS)]);
    const echo = async (): Promise<boolean> => {
      const accepted = await broker.publish(topic, Buffer.from('test'));
      if (accepted) await echoed.promise;
      return accepted;
    };
    const arrived = await withAbort(echo(), deadline).catch(() => false);
    signal.throwIfAborted();
    if (!arrived) throw new NodeFailure('topic', { topic });
  };

  try {
    done('login', broker.version === 5 ? 'MQTT 5' : 'MQTT 3.1.1');
    await subscribe();
    done('subscribe', filter);
    await publish();
    done('publish', topic);
  } finally {
    broker.end(true);
  }
};
