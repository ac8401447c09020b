import {
  type Bucket,
  bucketCalls,
  type Call,
  type FirmwareKey,
  type LoginAnswer,
  type Output,
  type UpgradeOrder,
} from '@device-center/contract';
import { DeviceError, refusalOf } from './device-error.ts';
import { type Fetch, type HttpAnswer, runtime } from './runtime.ts';

const ANSWER_WITHIN_MS = 15_000;

type Asked = { token?: string; query?: Record<string, string | number>; body?: object };
type Answer = { success?: unknown; data?: unknown; code?: unknown; message?: unknown };

const bodyOf = async (answer: HttpAnswer): Promise<Answer> => {
  const body: unknown = await answer.json().catch(() => null);
  return typeof body === 'object' && body !== null ? body : {};
};

const textOf = (query: Record<string, string | number> = {}): string => {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

/** A proxy's page in place of the hub's answer: away for now, whatever it says. */
const unreadable = (status: number): DeviceError => new DeviceError('AWAY', `HTTP ${status} without an answer`);

/** The calls of a device that go over HTTP. */
export const createHubHttp = (hubUrl: string, fetch: Fetch = (url, init) => runtime.fetch(url, init)) => {
  const root = hubUrl.replace(/\/+$/, '');
  let lastDate: number | null = null;

  const ask = async <Asking extends Call>(call: Asking, { token, query, body }: Asked): Promise<Output<Asking>> => {
    const answer = await fetch(`${root}${call.path}${textOf(query)}`, {
      method: call.method,
      headers: {
        ...(token === undefined ? {} : { Authorization: token }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: runtime.AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const date = Date.parse(answer.headers.get('date') ?? '');
    lastDate = Number.isNaN(date) ? null : date;
    const { success, data, code, message } = await bodyOf(answer);
    if (success === true) return call.output.parse(data) as Output<Asking>;
    if (typeof code !== 'string') throw unreadable(answer.status);
    throw refusalOf(code, answer.status, typeof message === 'string' ? message : '');
  };

  return {
    fetch,
    /** A link that names no host is the hub's own. */
    addressOf: (link: string): string => (link.startsWith('/') ? `${root}${link}` : link),
    /** The hub's clock in its last answer; a page of another origin may not see it. */
    get lastDate(): number | null {
      return lastDate;
    },
    login: (fields: object): Promise<LoginAnswer> => ask(bucketCalls.loginDevice, { body: fields }),
    bucket: (token: string, transport: 'tcp' | 'ws'): Promise<Bucket> =>
      ask(bucketCalls.getConnectBucket, { token, query: { transport } }),
    firmwareKey: (): Promise<FirmwareKey> => ask(bucketCalls.getFirmwareKey, {}),
    /** In place of one whose time is over. */
    firmwareLink: async (token: string, { deviceOtaTaskId, attempt }: UpgradeOrder): Promise<string> =>
      (await ask(bucketCalls.getFirmwareLink, { token, query: { deviceOtaTaskId, attempt } })).url,
  };
};

export type HubHttp = ReturnType<typeof createHubHttp>;
