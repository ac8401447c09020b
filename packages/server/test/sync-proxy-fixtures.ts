import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way between two hubs on which requests are lost, late, doubled and out of order. */
export type BadWay = {
  url: string;
  /** What was done to requests, by its name. */
  done: Record<Trouble, number>;
  close: () => Promise<void>;
};

const troubles = ['passed', 'dropped', 'answerLost', 'delayed', 'repeated', 'reordered'] as const;
type Trouble = (typeof troubles)[number];

type Random = () => number;

/** The same numbers for the same seed, so that a bad run can be run again. */
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

/** `passing`: the share of requests that nothing happens to, beside those that show each trouble once. */
export const startFaultyProxy = async (target: () => string, random: Random, passing = 0.45): Promise<BadWay> => {
  const done = Object.fromEntries(troubles.map((trouble) => [trouble, 0])) as Record<Trouble, number>;
  /** Requests whose sender has given up, which arrive later all the same. */
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

  // Each of them once before any comes by chance, so that a short run has them all.
  const dealt = troubles
    .slice(1)
    .map((trouble) => ({ trouble, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ trouble }) => trouble);

  const choose = (): Trouble => dealt.pop() ?? byChance();

  const byChance = (): Trouble => {
    if (random() < passing) return 'passed';
    return troubles[1 + Math.floor(random() * (troubles.length - 1))] ?? 'passed';
  };

  const answer = (response: ServerResponse, { status, body }: Answer): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' }).end(body);
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const trouble = choose();
    done[trouble]++;
    const lose = (): void => {
      response.destroy();
    };
    if (trouble === 'dropped') return lose();
    if (trouble === 'reordered') {
      late.push(() => pass(incoming, body));
      return lose();
    }
    if (trouble === 'delayed') await sleep(random() * 300);
    const first = await pass(incoming, body);
    if (trouble === 'repeated') await pass(incoming, body);
    if (trouble === 'answerLost') return lose();
    answer(response, first);
    // An old one arrives after a newer one.
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
