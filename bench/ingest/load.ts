/** Load generator of the ingest benchmark, a separate process: devices on raw sockets with QoS 1 and a full window each. */
import { createHmac, hash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { PROTOCOL_VERSION, signMessage } from '@device-center/contract';
import { generate } from 'mqtt-packet';
import { LOAD_STARTED, type LoadDevice, type LoadOptions, type LoadResult } from './load-messages.ts';

const hashes = {
  md5: (text: string) => hash('md5', text),
  sha256: (text: string) => hash('sha256', text),
  hmacSha256: (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex'),
};

const CONNACK = 2;
const PUBACK = 4;

/** Signed like a device's message; all brokers receive the same messages. */
const messageOf = (device: LoadDevice, dataId: number): Buffer => {
  const payload = JSON.stringify({ properties: { power: dataId % 2 === 0, brightness: dataId % 100 } });
  const unsigned = {
    dataFlow: 0,
    sessionId: device.sessionId,
    tenantId: device.tenantId,
    version: PROTOCOL_VERSION,
    signMethod: 'md5' as const,
    token: device.token,
    dataId: String(dataId),
    type: 2,
    deviceId: device.deviceId,
    length: payload.length,
    payload,
    timestamp: Date.now(),
  };
  return Buffer.from(JSON.stringify({ ...unsigned, signature: signMessage(hashes, 'md5', device.secret, unsigned) }));
};

const publishOf = (topic: Buffer, packetId: number, body: Buffer): Buffer => {
  const remaining = 2 + topic.length + 2 + body.length;
  const header = Buffer.alloc(remaining < 128 ? 2 : 3);
  header[0] = 0x32;
  if (remaining < 128) header[1] = remaining;
  else {
    header[1] = (remaining % 128) | 0x80;
    header[2] = Math.floor(remaining / 128);
  }
  const variable = Buffer.alloc(2 + topic.length + 2);
  variable.writeUInt16BE(topic.length, 0);
  topic.copy(variable, 2);
  variable.writeUInt16BE(packetId, 2 + topic.length);
  return Buffer.concat([header, variable, body]);
};

let acknowledged = 0;
let bytes = 0;
let measuring = false;
let ended = false;

/** Counts complete packets in the received data and returns the rest; responses are small, so copying is cheap. */
const createReader = (onPacket: (type: number) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      if (rest.length - at < 2) break;
      let length = 0;
      let shift = 0;
      let size = 1;
      let byte = 0x80;
      while (byte & 0x80 && at + size < rest.length) {
        byte = rest[at + size] ?? 0;
        length |= (byte & 0x7f) << shift;
        shift += 7;
        size++;
      }
      if (byte & 0x80 || at + size + length > rest.length) break;
      onPacket((rest[at] ?? 0) >> 4);
      at += size + length;
    }
    rest = rest.subarray(at);
  };
};

const run = (
  device: LoadDevice,
  port: number,
  window: number,
): Promise<{ socket: Socket; start: () => void; lastDataId: () => number }> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const topic = Buffer.from(device.topic);
    let dataId = device.firstDataId;
    let packetId = 0;
    const publish = (): void => {
      if (ended) return;
      packetId = (packetId % 60_000) + 1;
      const packet = publishOf(topic, packetId, messageOf(device, ++dataId));
      if (measuring) bytes += packet.length;
      socket.write(packet);
    };
    const read = createReader((type) => {
      if (type === CONNACK)
        resolve({
          socket,
          lastDataId: () => dataId,
          start: () => {
            for (let index = 0; index < window; index++) publish();
          },
        });
      if (type !== PUBACK) return;
      if (measuring) acknowledged++;
      publish();
    });
    socket.on('data', read);
    socket.on('error', reject);
    socket.on('close', () => !ended && reject(new Error(`${device.deviceId} was disconnected`)));
    socket.setNoDelay(true);
    socket.write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: device.deviceId,
        username: device.deviceId,
        password: Buffer.from(device.token),
        keepalive: 60,
      }),
    );
  });

process.once('message', async ({ port, devices, window, warmUpMs, measureMs }: LoadOptions) => {
  const running = await Promise.all(devices.map((device) => run(device, port, window)));
  for (const { start } of running) start();
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  measuring = true;
  process.send?.(LOAD_STARTED);
  const started = performance.now();
  await new Promise((resolve) => setTimeout(resolve, measureMs));
  measuring = false;
  const seconds = (performance.now() - started) / 1_000;
  ended = true;
  const lastDataIds = running.map(({ lastDataId }) => lastDataId());
  for (const { socket } of running) socket.destroy();
  process.send?.({ acknowledged, seconds, bytes, lastDataIds } satisfies LoadResult, () => process.exit(0));
});
