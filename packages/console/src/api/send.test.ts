import {
  accountCalls,
  applicationCalls,
  CodePurpose,
  personalCalls,
  roleCalls,
  tenancyCalls,
} from '@device-center/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminSession } from '../../test/hub.ts';
import { ApiError } from './api-error.ts';
import { announceFailure, registerPresenter } from './feedback.ts';
import { send } from './send.ts';
import { clearStorage, saveSession } from './session.ts';

type Request = { url: string; init: RequestInit };

/** Replaces fetch. Returns the recorded requests. */
const stubFetch = (answer: (request: Request) => Response | Promise<Response>): Request[] => {
  const requests: Request[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return answer({ url, init });
  });
  return requests;
};

const succeeded = () => Response.json({ success: true, statusCode: 200, message: '', data: null });
const headersOf = ({ init }: Request) => new Headers(init.headers);

/** Messages that the operator sees when a call fails. */
const shownMessages = async (work: Promise<unknown>): Promise<string[]> => {
  const shown: string[] = [];
  const stop = registerPresenter({
    failed: (text) => shown.push(text),
    succeeded: (text) => shown.push(text),
    tokenExpired: () => shown.push('the dialog of an expired token'),
  });
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  announceFailure(error);
  stop();
  return shown;
};

const details = () => send(roleCalls.getRoleDetails, { roleId: 'nobody' });

beforeEach(async () => saveSession({ ...(await adminSession()), token: 'the-token' }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('send: requests', () => {
  // Spec 7.1
  it('uses a relative URL and sends the language', async () => {
    const requests = stubFetch(succeeded);
    await details();
    expect(requests[0]?.url).toBe('/iot-hub/admin/system/role/getRoleDetails?roleId=nobody');
    expect(requests.map((request) => headersOf(request).get('Accept-Language'))).toEqual(['en-US']);
  });

  // Spec 7.3
  it('sends the stored token unchanged with every call of a logged-in user', async () => {
    const requests = stubFetch(succeeded);
    await details();
    await send(tenancyCalls.deleteTenancy, { tenancyId: '7' });
    await send(applicationCalls.addApplication, { applicationName: 'x' });
    await send(personalCalls.savePreferences, { preferences: {} }, { as: 'json' });
    expect(localStorage.getItem('Authorization')).toBe('the-token');
    expect(requests.map((request) => headersOf(request).get('Authorization'))).toEqual(Array(4).fill('the-token'));
  });

  // Spec 7.4
  it.each(['somebody', 'nobody'])('carries no token at log-in and recovery where %s is logged in', async (who) => {
    if (who === 'nobody') clearStorage();
    const requests = stubFetch(succeeded);
    await send(accountCalls.login, { username: 'admin', password: 'x' });
    await send(accountCalls.getVerificationCode, { email: 'a@b.co' });
    await send(accountCalls.getPhoneCode, { phone: '13800138000', type: CodePurpose.recover });
    await send(accountCalls.retrievePassword, { email: 'a@b.co', code: '000000', password: 'Better-pass1' });
    expect(requests.map((request) => headersOf(request).has('Authorization'))).toEqual(Array(4).fill(false));
  });

  // Spec 7.4
  it('sends the token when a logged-in user requests a code', async () => {
    const requests = stubFetch(succeeded);
    await send(accountCalls.getVerificationCode, { email: 'a@b.co', type: CodePurpose.bind });
    expect(requests.map((request) => headersOf(request).get('Authorization'))).toEqual(['the-token']);
  });

  // Spec 7.5
  it('sends a form by default, and a query string for GET and DELETE', async () => {
    const requests = stubFetch(succeeded);
    await send(roleCalls.addRole, { roleName: '运维', menus: [201, 202] });
    await send(tenancyCalls.deleteTenancies, { tenancyId: ['7', '8'] });
    await send(personalCalls.savePreferences, { preferences: { theme: 'dark' } }, { as: 'json' });
    await send(personalCalls.updateUserHead, {}, { file: new Blob(['x']) });
    const [form, query, json, parts] = requests;
    expect(form?.init.method).toBe('PUT');
    expect(String(form?.init.body)).toBe(String(new URLSearchParams({ roleName: '运维', menus: '[201,202]' })));
    expect(query?.init.body).toBeUndefined();
    expect(query?.url.split('?')[1]).toBe(String(new URLSearchParams({ tenancyId: '["7","8"]' })));
    expect(json?.init.body).toBe('{"preferences":{"theme":"dark"}}');
    expect([...((parts?.init.body as FormData) ?? new FormData()).keys()]).toEqual(['multipartFile']);
  });
});

describe('send: failures', () => {
  // Spec 8.1, 8.10
  it('shows the error message of the hub', async () => {
    saveSession(await adminSession());
    expect(await shownMessages(details())).toEqual(['Role does not exist']);
  });

  // Spec 8.2
  it("shows 'Error' for a failed response without a message", async () => {
    stubFetch(() => Response.json({ success: false, statusCode: 409, message: '', data: null }, { status: 409 }));
    expect(await shownMessages(details())).toEqual(['Error']);
  });

  // Spec 7.2, 8.8, 9.1
  it('times out after 120 s and shows the code and that the device does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    // AbortSignal.timeout uses the browser's clock; this one uses the fake timers.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const clock = new AbortController();
      setTimeout(() => clock.abort(new DOMException('The operation timed out', 'TimeoutError')), milliseconds);
      return clock.signal;
    });
    stubFetch(
      ({ init: { signal } }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const ended = vi.fn();
    const waiting = shownMessages(details()).finally(ended);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toEqual(['TIMEOUT device no response']);
  });

  // Spec 8.10
  it('shows the code and that the device does not respond after a network failure', async () => {
    stubFetch(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await shownMessages(details())).toEqual(['NETWORK_ERROR device no response']);
    stubFetch(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await shownMessages(details())).toEqual(['HTTP_502 device no response']);
  });

  // Spec 8.9
  it('treats every 401 as the end of the session, also from a proxy', async () => {
    stubFetch(() => new Response('<h1>Unauthorized</h1>', { status: 401 }));
    expect(await shownMessages(details())).toEqual(['the dialog of an expired token']);
    stubFetch(() => Response.json({ success: false, statusCode: 401, message: 'x', data: null }, { status: 401 }));
    expect(await shownMessages(details())).toEqual(['the dialog of an expired token']);
  });
});
