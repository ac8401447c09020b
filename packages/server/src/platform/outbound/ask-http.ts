import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { NodeFailure } from './node-failure.ts';
import type { NodeCertificate } from './open-socket.ts';

export type HttpQuestion = {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: Buffer | string | undefined;
  certificate?: NodeCertificate | undefined;
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
};

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** http and https, without an account in the address. */
export const readHttpUrl = (text: string): URL => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new NodeFailure('addressInvalid');
  return url;
};

const readBody = async (answer: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new NodeFailure('protocol');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const answerTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.once('upgrade', () => reject(new NodeFailure('protocol')));
  });

/** One request over a socket that is open already, to an address that was checked. No redirect is followed. */
export const requestOver = async (
  socket: Socket,
  url: URL,
  question: HttpQuestion,
  signal: AbortSignal,
): Promise<HttpAnswer> => {
  const { method, headers, body, maxBytes } = question;
  const request = httpRequest({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: {
      ...headers,
      Host: url.host,
      Connection: 'close',
      ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    },
    signal,
  });
  try {
    request.end(body);
    const answer = await answerTo(request);
    const status = answer.statusCode ?? 0;
    if (status >= 300 && status < 400) throw new NodeFailure('redirect');
    return { status, headers: answer.headers, body: await readBody(answer, maxBytes) };
  } finally {
    // What still comes is nobody's.
    request.on('error', () => undefined);
    request.destroy();
    socket.destroy();
  }
};
