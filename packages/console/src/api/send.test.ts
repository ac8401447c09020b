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
import { announceFailure, presentWith } from './feedback.ts';
import { send } from './send.ts';
import { forgetEverything, saveSession } from './session.ts';

type Request = { url: string; init: RequestInit };

/** Replaces fetch. Returns the recorded requests. */
const answerWith = (answer: (request: Request) => Response | Promise<Response>): Request[] => {
  const asked: Request[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer({ url, init });
  });
  return asked;
};

const succeeded = () => Response.json({ success: true, statusCode: 200, message: '', data: null });
const headersOf = ({ init }: Request) => new Headers(init.headers);

/** Messages that the operator sees when a call fails. */
const told = async (work: Promise<unknown>): Promise<string[]> => {
  const shown: string[] = [];
  const stop = presentWith({
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

describe('a request to the hub', () => {
  // Spec 7.1
  it('goes to an address without a host, with the language', async () => {
    const asked = answerWith(succeeded);
    await details();
    expect(asked[0]?.url).toBe('/iot-hub/admin/system/role/getRoleDetails?roleId=nobody');
    expect(asked.map((request) => headersOf(request).get('Accept-Language'))).toEqual(['en-US']);
  });

  // Spec 7.3
  it('carries the stored token as it is, on every call of somebody who is logged in', async () => {
    const asked = answerWith(succeeded);
    await details();
    await send(tenancyCalls.deleteTenancy, { tenancyId: '7' });
    await send(applicationCalls.addApplication, { applicationName: 'x' });
    await send(personalCalls.savePreferences, { preferences: {} }, { as: 'json' });
    expect(localStorage.getItem('Authorization')).toBe('the-token');
    expect(asked.map((request) => headersOf(request).get('Authorization'))).toEqual(Array(4).fill('the-token'));
  });

  // Spec 7.4
  it.each(['somebody', 'nobody'])('carries no token at log-in and recovery where %s is logged in', async (who) => {
    if (who === 'nobody') forgetEverything();
    const asked = answerWith(succeeded);
    await send(accountCalls.login, { username: 'admin', password: 'x' });
    await send(accountCalls.getVerificationCode, { email: 'a@b.co' });
    await send(accountCalls.getPhoneCode, { phone: '13800138000', type: CodePurpose.recover });
    await send(accountCalls.retrievePassword, { email: 'a@b.co', code: '000000', password: 'Better-pass1' });
    expect(asked.map((request) => headersOf(request).has('Authorization'))).toEqual(Array(4).fill(false));
  });

  // Spec 7.4
  it('carries the token for a code that is for the user who asks', async () => {
    const asked = answerWith(succeeded);
    await send(accountCalls.getVerificationCode, { email: 'a@b.co', type: CodePurpose.bind });
    expect(asked.map((request) => headersOf(request).get('Authorization'))).toEqual(['the-token']);
  });

  // Spec 7.5
  it('sends a form unless told otherwise, and a query for GET and DELETE', async () => {
    const asked = answerWith(succeeded);
    await send(roleCalls.addRole, { roleName: '运维', menus: [201, 202] });
    await send(tenancyCalls.deleteTenancies, { tenancyId: ['7', '8'] });
    await send(personalCalls.savePreferences, { preferences: { theme: 'dark' } }, { as: 'json' });
    await send(personalCalls.updateUserHead, {}, { file: new Blob(['x']) });
    const [form, query, json, parts] = asked;
    expect(form?.init.method).toBe('PUT');
    expect(String(form?.init.body)).toBe(String(new URLSearchParams({ roleName: '运维', menus: '[201,202]' })));
    expect(query?.init.body).toBeUndefined();
    expect(query?.url.split('?')[1]).toBe(String(new URLSearchParams({ tenancyId: '["7","8"]' })));
    expect(json?.init.body).toBe('{"preferences":{"theme":"dark"}}');
    expect([...((parts?.init.body as FormData) ?? new FormData()).keys()]).toEqual(['multipartFile']);
  });
});

describe('a call that fails', () => {
  // Spec 8.1, 8.10
  it('shows what the hub said of a failed call', async () => {
    saveSession(await adminSession());
    expect(await told(details())).toEqual(['Role does not exist']);
  });

  // Spec 8.2
  it("says 'Error' where a failed answer has no message", async () => {
    answerWith(() => Response.json({ success: false, statusCode: 409, message: '', data: null }, { status: 409 }));
    expect(await told(details())).toEqual(['Error']);
  });

  // Spec 7.2, 8.8, 9.1
  it('waits 120 s for an answer, then says the code and that the device does not respond', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    // AbortSignal.timeout uses the browser's clock; this one uses the fake timers.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const clock = new AbortController();
      setTimeout(() => clock.abort(new DOMException('The operation timed out', 'TimeoutError')), milliseconds);
      return clock.signal;
    });
    answerWith(
      ({ init: { signal } }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const ended = vi.fn();
    const waiting = told(details()).finally(ended);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toEqual(['TIMEOUT device no response']);
  });

  // Spec 8.10
  it('says of a network that fails its code and that the device does not respond', async () => {
    answerWith(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await told(details())).toEqual(['NETWORK_ERROR device no response']);
    answerWith(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await told(details())).toEqual(['HTTP_502 device no response']);
  });

  // Spec 8.9
  it('takes a 401 that is no answer of the hub for the end of the session', async () => {
    answerWith(() => new Response('<h1>Unauthorized</h1>', { status: 401 }));
    expect(await told(details())).toEqual(['the dialog of an expired token']);
    answerWith(() => Response.json({ success: false, statusCode: 401, message: 'x', data: null }, { status: 401 }));
    expect(await told(details())).toEqual(['the dialog of an expired token']);
  });
});
