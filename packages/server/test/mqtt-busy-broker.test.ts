import { type AddressInfo, connect, createServer } from 'node:net';
import { generate, type Packet, parser } from 'mqtt-packet';
import { afterEach, expect, it, vi } from 'vitest';
import { openBroker } from '../src/mqtt/broker-client.ts';

/** Longer than the timeout of a silent broker. */
const LATE_MS = 18_000;
const SENDS_EVERY_MS = 1_000;
const HOUR_MS = 3_600_000;

type SystemHandlers = { answersAfter: number; keepsSending: boolean };

/** A broker that acknowledges a publication late, with or without sending messages meanwhile, and a changed clock. */
const startSlowBroker = async ({ answersAfter, keepsSending }: SystemHandlers) => {
  const timers: NodeJS.Timeout[] = [];
  const server = createServer((socket) => {
    const say = (packet: Packet): void => void socket.write(generate(packet, { protocolVersion: 5 }));
    const packets = parser({ protocolVersion: 5 });
    let messageId = 0;
    const send = (): void =>
      say({ cmd: 'publish', topic: 'up', payload: 'x', qos: 1, dup: false, retain: false, messageId: ++messageId });
    packets.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connect') say({ cmd: 'connack', reasonCode: 0, sessionPresent: false });
      if (packet.cmd === 'connect' && keepsSending) timers.push(setInterval(send, SENDS_EVERY_MS));
      if (packet.cmd === 'pingreq') say({ cmd: 'pingresp' });
      if (packet.cmd !== 'publish') return;
      vi.setSystemTime(Date.now() - HOUR_MS);
      timers.push(setTimeout(() => say({ cmd: 'puback', messageId: packet.messageId ?? 0 }), answersAfter));
    });
    socket.on('data', (bytes) => packets.parse(bytes));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
      server.close();
    },
  };
};

/** Whether the publication was acknowledged, the messages received meanwhile, and why the connection ended. */
const publishThrough = async (conduct: SystemHandlers) => {
  const slow = await startSlowBroker(conduct);
  let [received, ended] = [0, ''];
  const broker = await openBroker({
    ...{ stream: connect(slow.port, '127.0.0.1'), version: 5, clientId: 'hub', username: '', password: '' },
    keepSession: true,
    receive: (_topic, _payload, acknowledge) => {
      received++;
      acknowledge();
    },
    closed: (reason) => {
      ended = reason;
    },
  });
  const taken = await broker.publish('down', Buffer.from('answer'));
  const seen = { taken, ended, received };
  broker.end(true);
  slow.close();
  return seen;
};

afterEach(() => void vi.useRealTimers());

it('waits for a broker that is busy sending, and leaves one that only answers pings, also when the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const [busy, mute] = await Promise.all([
    publishThrough({ answersAfter: LATE_MS, keepsSending: true }),
    publishThrough({ answersAfter: LATE_MS, keepsSending: false }),
  ]);
  expect(busy).toMatchObject({ taken: true, ended: '' });
  expect(busy.received).toBeGreaterThan(10);
  expect(mute).toEqual({ taken: false, ended: 'no answer', received: 0 });
});
