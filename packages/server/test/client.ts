import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Answer, Call, Failure, FailureData, Output, Sent, Success } from '@device-center/contract';

type Options = { as?: 'form' | 'json'; language?: string; headers?: Record<string, string> };

const formOf = (sent: Record<string, unknown>): URLSearchParams => {
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(sent)) {
    const listed = Array.isArray(value) && !value.some((item) => typeof item === 'object');
    if (listed) for (const item of value) form.append(key, String(item));
    else if (value !== undefined) form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
};

const plain = { agent: new HttpAgent({ keepAlive: true }), request: requestHttp };
const secure = { agent: new HttpsAgent({ keepAlive: true }), request: requestHttps };

type Asked = { method: string; headers: Record<string, string>; body: string | undefined };

/** `node:http`: `fetch` takes twice the CPU time, and nearly every test sends requests. */
const ask = (address: URL, { method, headers, body }: Asked): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { agent, request } = address.protocol === 'https:' ? secure : plain;
    const sending = request(address, { method, headers, agent }, resolve);
    sending.on('error', reject);
    sending.end(body);
  });

/** A response without the envelope: a file as its text; a stream is closed. */
const outside = async (response: IncomingMessage): Promise<Success<unknown>> => {
  const stream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  if (stream) response.destroy();
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode} outside the envelope`);
  return { success: true, statusCode: 200, message: '', data: stream ? null : await text(response) };
};

/** A client of the hub's HTTP interface; without a token it is anonymous. */
export const createClient = (url: string, token = '') => {
  /** Sends any input, including what the contract forbids. */
  const send = async (
    call: Call,
    sent: Record<string, unknown> = {},
    options: Options = {},
  ): Promise<Answer<unknown>> => {
    const { as = 'form', language = 'en-US', headers = {} } = options;
    const inQuery = call.method === 'GET' || (call.method === 'DELETE' && as === 'form');
    const address = new URL(call.path, url);
    if (inQuery) address.search = formOf(sent).toString();
    const body = inQuery ? undefined : as === 'json' ? JSON.stringify(sent) : formOf(sent).toString();
    const type = as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded;charset=UTF-8';
    const response = await ask(address, {
      method: call.method,
      body,
      headers: {
        'Accept-Language': language,
        ...(token ? { Authorization: token } : {}),
        ...(body === undefined ? {} : { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    const { statusCode } = response;
    const file = call.answersFile && statusCode === 200;
    if (file || !response.headers['content-type']?.startsWith('application/json')) return outside(response);
    const answer = JSON.parse(await text(response)) as Answer<unknown>;
    if (answer.statusCode !== statusCode) throw new Error(`statusCode ${answer.statusCode} under HTTP ${statusCode}`);
    return answer;
  };

  const call = async <C extends Call>(
    which: C,
    sent: Sent<C>,
    options?: Options,
  ): Promise<Answer<Output<C>, FailureData<C>>> =>
    (await send(which, sent as Record<string, unknown>, options)) as Answer<Output<C>, FailureData<C>>;

  return {
    token,
    url,
    send,
    call,
    /** Expects success, and an answer that fits the contract's output schema. */
    ok: async <C extends Call>(which: C, sent: Sent<C>, options?: Options): Promise<Output<C>> => {
      const answer = await call(which, sent, options);
      if (!answer.success)
        throw new Error(`${which.path}: ${answer.code} ${answer.message} ${JSON.stringify(answer.details)}`);
      return which.output.parse((answer as Success<unknown>).data) as Output<C>;
    },
    /** Expects an error. */
    error: async <C extends Call>(which: C, sent: Sent<C>, options?: Options): Promise<Failure<FailureData<C>>> => {
      const answer = await call(which, sent, options);
      if (answer.success) throw new Error(`${which.path} was expected to fail`);
      return answer;
    },
  };
};

export type Client = ReturnType<typeof createClient>;
