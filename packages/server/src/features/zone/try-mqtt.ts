import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { generate, type Packet, parser } from 'mqtt-packet';
import { NodeFailure } from '../../platform/outward/node-failure.ts';

type Version = 4 | 5;
type Account = { username: string; password: string };
export type MqttStep = 'login' | 'subscribe' | 'publish';

type Talk = {
  open: () => Promise<Socket>;
  account: Account;
  routeKey: string;
  signal: AbortSignal;
  done: (step: MqttStep, note: string) => void;
};

/** A broker that does not speak this version. */
class OtherVersion extends Error {}

/** What is sent to oneself comes back within this time, or is not allowed. */
const ECHO_WITHIN_MS = 3_000;

const UNSUPPORTED = [1, 0x84];
const byCode = new Map<number, 'credentials' | 'notAllowed' | 'closed' | 'redirect'>([
  [2, 'notAllowed'],
  [3, 'closed'],
  [4, 'credentials'],
  // Mosquitto and others say so of a wrong password too.
  [5, 'credentials'],
  [0x85, 'notAllowed'],
  [0x86, 'credentials'],
  [0x87, 'credentials'],
  [0x88, 'closed'],
  [0x89, 'closed'],
  [0x8a, 'notAllowed'],
  [0x8c, 'notAllowed'],
  [0x9c, 'redirect'],
  [0x9d, 'redirect'],
]);

/** The packets of a connection, one after the other, in the version that both speak. */
const createTalk = (socket: Socket, version: Version, signal: AbortSignal) => {
  const waiting: Packet[] = [];
  const reader = parser({ protocolVersion: version });
  let broken: Error | undefined;
  const wake = new EventTarget();
  const tell = (): boolean => wake.dispatchEvent(new Event('news'));
  const fail = (error: Error): void => {
    broken ??= error;
    tell();
  };
  reader.on('packet', (packet) => {
    waiting.push(packet);
    tell();
  });
  reader.on('error', () => fail(new NodeFailure('protocol')));
  socket.on('data', (bytes: Buffer) => reader.parse(bytes));
  socket.on('error', fail);
  socket.on('close', () => fail(new NodeFailure('closed')));

  return {
    send: (packet: Packet): void => {
      socket.write(generate(packet, { protocolVersion: version }));
    },
    next: async (within: AbortSignal = signal): Promise<Packet> => {
      for (;;) {
        const packet = waiting.shift();
        if (packet) return packet;
        if (broken) throw broken;
        await once(wake, 'news', { signal: within }).catch(() => within.throwIfAborted());
      }
    },
  };
};

const login = async (talk: ReturnType<typeof createTalk>, version: Version, { username, password }: Account) => {
  talk.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clean: true,
    clientId: `dc-test-${randomBytes(6).toString('hex')}`,
    keepalive: 30,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password: Buffer.from(password) }),
  });
  const answer = await talk.next();
  if (answer.cmd !== 'connack') throw new NodeFailure('protocol');
  const code = (version === 5 ? answer.reasonCode : answer.returnCode) ?? answer.returnCode ?? 0;
  if (version === 5 && UNSUPPORTED.includes(code)) throw new OtherVersion();
  if (code !== 0) throw new NodeFailure(byCode.get(code) ?? 'protocol');
};

const codeOf = (packet: Packet): number => ('reasonCode' in packet ? (packet.reasonCode ?? 0) : 0);

/** Refused by a word, or by the end of the connection: either way it is the topic. */
const forTopic = async <Result>(topic: string, work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw error instanceof NodeFailure && error.problem === 'closed' ? new NodeFailure('topic', { topic }) : error;
  }
};

const subscribe = async (talk: ReturnType<typeof createTalk>, topic: string): Promise<void> => {
  talk.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos: 1 }] });
  const answer = await talk.next();
  if (answer.cmd === 'disconnect') throw new NodeFailure('topic', { topic });
  if (answer.cmd !== 'suback') throw new NodeFailure('protocol');
  const granted = answer.granted.every((code) => (typeof code === 'number' ? code : 0x80) < 0x80);
  if (!granted) throw new NodeFailure('topic', { topic });
};

/** Some brokers acknowledge what they drop, so the message must come back to count. */
const publish = async (talk: ReturnType<typeof createTalk>, topic: string, signal: AbortSignal): Promise<void> => {
  talk.send({ cmd: 'publish', topic, payload: 'test', qos: 1, messageId: 2, dup: false, retain: false });
  const soon = AbortSignal.timeout(ECHO_WITHIN_MS);
  const [acknowledged, echoed] = [new Set<string>(), new Set<string>()];
  try {
    while (acknowledged.size === 0 || echoed.size === 0) {
      const packet = await talk.next(AbortSignal.any([signal, soon]));
      if (packet.cmd === 'disconnect' || (packet.cmd === 'puback' && codeOf(packet) >= 0x80))
        throw new NodeFailure('topic', { topic });
      if (packet.cmd === 'puback') acknowledged.add(topic);
      if (packet.cmd === 'publish' && packet.topic === topic) echoed.add(topic);
    }
  } catch (error) {
    throw soon.aborted && !signal.aborted ? new NodeFailure('topic', { topic }) : error;
  }
};

const speak = async (version: Version, { open, account, routeKey, signal, done }: Talk): Promise<void> => {
  const socket = await open();
  try {
    const talk = createTalk(socket, version, signal);
    await login(talk, version, account);
    done('login', version === 5 ? 'MQTT 5' : 'MQTT 3.1.1');
    const filter = `${routeKey}/dc-test/#`;
    await forTopic(filter, subscribe(talk, filter));
    done('subscribe', filter);
    const topic = `${routeKey}/dc-test/${randomBytes(6).toString('hex')}`;
    await forTopic(topic, publish(talk, topic, signal));
    done('publish', topic);
    talk.send({ cmd: 'disconnect' });
    socket.end();
  } finally {
    setTimeout(() => socket.destroy(), 200).unref();
  }
};

/** A broker of the earlier version may answer the later one with its own words, or with nothing at all. */
const isOtherVersion = (error: unknown): boolean =>
  error instanceof OtherVersion ||
  (error instanceof NodeFailure && (error.problem === 'protocol' || error.problem === 'closed'));

/** Logs in, subscribes and publishes as the hub's own connection would, in MQTT 5 and, if need be, in 3.1.1. */
export const tryMqtt = async (talk: Talk): Promise<void> => {
  let loggedIn = false;
  const done: Talk['done'] = (step, note) => {
    loggedIn = true;
    talk.done(step, note);
  };
  try {
    await speak(5, { ...talk, done });
  } catch (error) {
    if (loggedIn || !isOtherVersion(error)) throw error;
    await speak(4, talk);
  }
};
