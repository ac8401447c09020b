import {
  type Bucket,
  bucket,
  bucketCalls,
  type FirmwareKey,
  firmwareKey,
  type LoginAnswer,
  loginAnswer,
  type UpgradeOrder,
} from '@device-center/contract';
import { DeviceRefusal, refusalOf } from './refusal.ts';
import { type Fetch, type HttpAnswer, runtime } from './runtime.ts';

const ANSWER_WITHIN_MS = 15_000;

type Answer = { success?: unknown; data?: unknown; code?: unknown; message?: unknown };

const bodyOf = async (answer: HttpAnswer): Promise<Answer> => {
  const body: unknown = await answer.json().catch(() => null);
  return typeof body === 'object' && body !== null ? body : {};
};

/** A proxy's page in place of the hub's answer: away for now, whatever it says. */
const unreadable = (status: number): DeviceRefusal => new DeviceRefusal('AWAY', `HTTP ${status} without an answer`);

/** The calls of a device that go over HTTP. */
export const createHubHttp = (hubUrl: string, fetch: Fetch = (url, init) => runtime.fetch(url, init)) => {
  const root = hubUrl.replace(/\/+$/, '');
  let lastDate: number | null = null;

  const ask = async (path: string, init: Parameters<Fetch>[1]): Promise<unknown> => {
    const answer = await fetch(`${root}/api/bucket/${path}`, {
      ...init,
      signal: runtime.AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const date = Date.parse(answer.headers.get('date') ?? '');
    lastDate = Number.isNaN(date) ? null : date;
    const { success, data, code, message } = await bodyOf(answer);
    if (success === true) return data;
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
    login: async (fields: object): Promise<LoginAnswer> => {
      const headers = { 'Content-Type': 'application/json' };
      return loginAnswer.parse(await ask('login', { method: 'POST', headers, body: JSON.stringify(fields) }));
    },
    bucket: async (token: string, transport: 'tcp' | 'ws'): Promise<Bucket> => {
      const query = transport === 'ws' ? '?transport=ws' : '';
      return bucket.parse(await ask(`getConnectBucket${query}`, { method: 'GET', headers: { Authorization: token } }));
    },
    firmwareKey: async (): Promise<FirmwareKey> =>
      firmwareKey.parse(await ask('getFirmwareKey', { method: 'GET', headers: {} })),
    /** In place of one whose time is over. */
    firmwareLink: async (token: string, { deviceOtaTaskId, attempt }: UpgradeOrder): Promise<string> => {
      const path = `getFirmwareLink?deviceOtaTaskId=${encodeURIComponent(deviceOtaTaskId)}&attempt=${attempt}`;
      const answer = await ask(path, { method: 'GET', headers: { Authorization: token } });
      return bucketCalls.getFirmwareLink.output.parse(answer).url;
    },
  };
};

export type HubHttp = ReturnType<typeof createHubHttp>;
