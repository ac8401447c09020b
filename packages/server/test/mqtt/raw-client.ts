import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { type IConnackPacket, type Packet, parser } from 'mqtt-packet';
import { type ConnectFields, connect, type Version } from './bytes.ts';

type Waiting = { resolve: (packet: Packet) => void; reject: (error: Error) => void };

/** A client that sends arbitrary bytes and stores the answer. */
export class RawClient {
  readonly stream: Duplex;
  readonly #unread: Packet[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #chunks: Buffer[] = [];
  isClosed = false;
  readonly closed: Promise<void>;

  constructor(stream: Duplex, version: Version = 4) {
    this.stream = stream;
    const reader = parser({ protocolVersion: version });
    reader.on('packet', (packet) => this.#take(packet));
    stream.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      reader.parse(chunk);
    });
    stream.on('error', () => undefined);
    // The stream of a WebSocket does not close by itself.
    stream.on('end', () => stream.destroy());
    this.closed = new Promise((resolve) =>
      stream.on('close', () => {
        this.isClosed = true;
        for (const { reject } of this.#waiting.splice(0)) reject(new Error('the hub hung up'));
        resolve();
      }),
    );
  }

  /** `from`: the local address to connect from. */
  static async dial(port: number, version: Version = 4, from?: string): Promise<RawClient> {
    const host = from?.includes(':') ? '::1' : '127.0.0.1';
    const socket = connectTcp({ port, host, noDelay: true, ...(from ? { localAddress: from } : {}) });
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawClient(socket, version);
  }

  /** Connects and sends a CONNECT; resolves with the CONNACK. */
  static async connect(port: number, fields: Partial<ConnectFields> = {}): Promise<[RawClient, IConnackPacket]> {
    const client = await RawClient.dial(port, fields.version ?? 4);
    client.send(connect(fields));
    return [client, await client.next('connack')];
  }

  send(...packets: Buffer[]): void {
    this.stream.write(Buffer.concat(packets));
  }

  /** The next packet; fails when it is of another type. */
  async next<C extends Packet['cmd']>(cmd: C): Promise<Extract<Packet, { cmd: C }>> {
    const packet =
      this.#unread.shift() ??
      (this.isClosed
        ? Promise.reject(new Error('the hub hung up'))
        : new Promise<Packet>((resolve, reject) => this.#waiting.push({ resolve, reject })));
    const came = await packet;
    if (came.cmd !== cmd) throw new Error(`${cmd} expected, ${came.cmd} came`);
    return came as Extract<Packet, { cmd: C }>;
  }

  /** All received bytes. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get unread(): readonly Packet[] {
    return this.#unread;
  }

  #take(packet: Packet): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting.resolve(packet);
    else this.#unread.push(packet);
  }
}
