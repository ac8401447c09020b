import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { NodeFailure } from './node-failure.ts';
import type { NodeCertificate } from './open-socket.ts';

export type HttpRequest = {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers: Record<string, string>;
  body?: Buffer | string | undefined;
  certificate?: NodeCertificate | undefined;
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
};

export type HttpResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Accepts http and https URLs without credentials. */
export const readHttpUrl = (text: string): URL => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new NodeFailure('addressInvalid');
  return url;
};

const readBody = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new NodeFailure('protocol');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const responseTo = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.once('upgrade', () => reject(new NodeFailure('protocol')));
  });

/** Sends one request over an open socket to a checked address. Redirects are not followed. */
export const requestOver = async (
  socket: Socket,
  url: URL,
  options: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> => {
  const { method, headers, body, maxBytes } = options;
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
    const response = await responseTo(request);
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400) throw new NodeFailure('redirect');
    return { status, headers: response.headers, body: await readBody(response, maxBytes) };
  } finally {
    // Further events of the request are ignored.
    request.on('error', () => undefined);
    request.destroy();
    socket.destroy();
  }
};
