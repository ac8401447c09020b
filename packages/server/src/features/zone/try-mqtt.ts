import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { connectBroker } from '../../mqtt/connect-broker.ts';
import { NodeFailure, toNodeFailure } from '../../platform/outbound/node-failure.ts';
import { raced } from '../../platform/with-abort.ts';

type Account = { username: string; password: string };
export type MqttStep = 'login' | 'subscribe' | 'publish';

type Trial = {
  open: () => Promise<Socket>;
  at: { host: string; port: number };
  account: Account;
  routeKey: string;
  signal: AbortSignal;
  done: (step: MqttStep, note: string) => void;
};

/** What is sent to oneself comes back within this time, or is not allowed. */
const ECHO_WITHIN_MS = 3_000;

/** Logs in, subscribes and publishes as the hub's own connection would. */
export const tryMqtt = async ({ open, at, account, routeKey, signal, done }: Trial): Promise<void> => {
  const filter = `${routeKey}/dc-test/#`;
  const topic = `${routeKey}/dc-test/${randomBytes(6).toString('hex')}`;
  const echoed = Promise.withResolvers<void>();
  const gone = new AbortController();
  const broker = await connectBroker({
    open,
    at,
    clientId: `dc-test-${randomBytes(6).toString('hex')}`,
    username: account.username,
    password: account.password,
    keepSession: false,
    signal,
    receive: (heardOn, _payload, acknowledge) => {
      acknowledge();
      if (heardOn === topic) echoed.resolve();
    },
    closed: () => gone.abort(),
  });

  /** Refused by a word, or by the end of the connection: either way it is the topic. */
  const subscribe = async (): Promise<void> => {
    const granted = await raced(broker.subscribe(filter), signal).catch((error: unknown) => {
      const failure = toNodeFailure(error, at);
      if (failure.problem !== 'closed') throw failure;
      return false;
    });
    if (!granted) throw new NodeFailure('topic', { topic: filter });
  };

  /** Some brokers acknowledge what they drop, so the message must come back to count. */
  const publish = async (): Promise<void> => {
    const soon = AbortSignal.any([signal, gone.signal, AbortSignal.timeout(ECHO_WITHIN_MS)]);
    const came = async (): Promise<boolean> => {
      const taken = await broker.publish(topic, Buffer.from('test'));
      if (taken) await echoed.promise;
      return taken;
    };
    const arrived = await raced(came(), soon).catch(() => false);
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
