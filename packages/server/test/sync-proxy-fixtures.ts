import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy between two hubs that loses, delays, repeats and reorders requests. */
export type FaultyProxy = {
  url: string;
  /** The number of injected faults by kind. */
  done: Record<Fault, number>;
  close: () => Promise<void>;
};

const faults = ['passed', 'dropped', 'answerLost', 'delayed', 'repeated', 'reordered'] as const;
type Fault = (typeof faults)[number];

type Random = () => number;

/** A seeded generator: a failed run can be repeated. */
export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
};

type Answer = { status: number; body: Buffer };

/** `passing`: the share of unchanged requests, after each fault was injected once. */
export const startFaultyProxy = async (target: () => string, random: Random, passing = 0.45): Promise<FaultyProxy> => {
  const done = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>;
  /** Requests that are delivered after their sender has timed out. */
  const late: (() => Promise<unknown>)[] = [];

  const pass = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = request(new URL(incoming.url ?? '/', target()), {
        method: incoming.method,
        headers: { ...incoming.headers, host: new URL(target()).host, connection: 'close' },
        agent: false,
      });
      outgoing.once('error', reject);
      outgoing.once('response', (answer) => {
        bodyOf(answer).then((bytes) => resolve({ status: answer.statusCode ?? 502, body: bytes }), reject);
      });
      outgoing.end(body);
    });

  // Each fault once before random ones, so that a short run has them all.
  const dealt = faults
    .slice(1)
    .map((fault) => ({ fault, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ fault }) => fault);

  const choose = (): Fault => dealt.pop() ?? byChance();

  const byChance = (): Fault => {
    if (random() < passing) return 'passed';
    return faults[1 + Math.floor(random() * (faults.length - 1))] ?? 'passed';
  };

  const answer = (response: ServerResponse, { status, body }: Answer): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(body);
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const fault = choose();
    done[fault]++;
    const lose = (): void => {
      response.destroy();
    };
    if (fault === 'dropped') return lose();
    if (fault === 'reordered') {
      late.push(() => pass(incoming, body));
      return lose();
    }
    if (fault === 'delayed') await sleep(random() * 300);
    const first = await pass(incoming, body);
    if (fault === 'repeated') await pass(incoming, body);
    if (fault === 'answerLost') return lose();
    answer(response, first);
    // Deliver an old request after a newer one.
    const old = late.shift();
    if (old) await old().catch(() => undefined);
  };

  const server: Server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    done,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
