import {
  type Bucket,
  bucketCalls,
  type Call,
  type FirmwareKey,
  type LoginAnswer,
  type Output,
  type UpgradeOrder,
} from '@device-center/contract';
import { DeviceError, errorFromHttp } from './device-error.ts';
import { type Fetch, type HttpAnswer, platform } from './platform.ts';

const ANSWER_WITHIN_MS = 15_000;

type RequestParts = { token?: string; query?: Record<string, string | number>; body?: object };
type HubResponse = { success?: unknown; data?: unknown; code?: unknown; message?: unknown };

const bodyOf = async (response: HttpAnswer): Promise<HubResponse> => {
  const body: unknown = await response.json().catch(() => null);
  return typeof body === 'object' && body !== null ? body : {};
};

const queryString = (query: Record<string, string | number> = {}): string => {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
};

/** The body is not a hub response, such as an error page of a proxy: the hub counts as unavailable. */
const invalidResponse = (status: number): DeviceError =>
  new DeviceError('AWAY', `HTTP ${status} without a hub response`);

/** The hub's HTTP calls for devices. */
export const createHubHttp = (hubUrl: string, fetch: Fetch = (url, init) => platform.fetch(url, init)) => {
  const root = hubUrl.replace(/\/+$/, '');
  let lastDate: number | null = null;

  const request = async <RequestedCall extends Call>(
    call: RequestedCall,
    { token, query, body }: RequestParts,
  ): Promise<Output<RequestedCall>> => {
    const response = await fetch(`${root}${call.path}${queryString(query)}`, {
      method: call.method,
      headers: {
        ...(token === undefined ? {} : { Authorization: token }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: platform.AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    lastDate = Number.isNaN(date) ? null : date;
    const { success, data, code, message } = await bodyOf(response);
    if (success === true) return call.output.parse(data) as Output<RequestedCall>;
    if (typeof code !== 'string') throw invalidResponse(response.status);
    throw errorFromHttp(code, response.status, typeof message === 'string' ? message : '');
  };

  return {
    fetch,
    /** Resolves a link without a host against the hub's address. */
    absoluteUrl: (link: string): string => (link.startsWith('/') ? `${root}${link}` : link),
    /** The `Date` header of the hub's last response; null in a page of another origin, which cannot read it. */
    get lastDate(): number | null {
      return lastDate;
    },
    login: (fields: object): Promise<LoginAnswer> => request(bucketCalls.loginDevice, { body: fields }),
    bucket: (token: string, transport: 'tcp' | 'ws'): Promise<Bucket> =>
      request(bucketCalls.getConnectBucket, { token, query: { transport } }),
    firmwareKey: (): Promise<FirmwareKey> => request(bucketCalls.getFirmwareKey, {}),
    /** Requests a new download link when the previous one has expired. */
    firmwareLink: async (token: string, { deviceOtaTaskId, attempt }: UpgradeOrder): Promise<string> =>
      (await request(bucketCalls.getFirmwareLink, { token, query: { deviceOtaTaskId, attempt } })).url,
  };
};

export type HubHttp = ReturnType<typeof createHubHttp>;
