import { applicationCalls, bucketCalls, deviceCalls, Menu, productCalls } from '@device-center/contract';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { admin, client, createUserWithMenus, type LoginAnswer, unique } from '../../test/hub.ts';
import { registerPresenter } from './feedback.ts';
import { backoffMs, type LiveEvent, readEvent, useLive } from './live.ts';
import { saveSession } from './session.ts';

const setVisible = (visible: boolean): void => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: visible ? 'visible' : 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('useLive', () => {
  let session: LoginAnswer;
  let tenancyId: string;
  let applicationId: string;
  let productId: string;

  const registerDevice = async (): Promise<string> => {
    const deviceId = unique('dev');
    await (await admin()).ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
    return deviceId;
  };

  /** Triggers an event of the stream: a login with a wrong signature. */
  const failLogin = (deviceId: string) =>
    client().error(bucketCalls.loginDevice, {
      productId,
      deviceId,
      timestamp: Date.now(),
      nonce: unique('n'),
      signMethod: 'hmacsha256',
      signature: '0'.repeat(64),
    });

  const follow = (deviceId: string) => {
    const events: LiveEvent[] = [];
    const refetch = vi.fn();
    const view = renderHook(() =>
      useLive({ deviceId, kinds: ['presence'], onEvent: (event) => events.push(event), refetch }),
    );
    const kind = () => view.result.current.kind;
    return { ...view, events, refetch, kind };
  };

  beforeAll(async () => {
    const operator = await admin();
    ({ session, tenancyId } = await createUserWithMenus([Menu.deviceList]));
    const fields = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1 } as const;
    ({ applicationId } = await operator.ok(applicationCalls.addApplication, {
      applicationName: unique('app'),
      tenancyId,
    }));
    ({ productId } = await operator.ok(productCalls.addDeviceProduct, {
      productName: unique('prod'),
      ...fields,
      tenancyId,
    }));
  });
  beforeEach(() => saveSession(session));
  afterEach(() => setVisible(true));

  it('delivers events of the hub', async () => {
    const deviceId = await registerDevice();
    const { events, kind } = follow(deviceId);
    await waitFor(() => expect(kind()).toBe('live'));
    await failLogin(deviceId);
    await waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: 'presence', data: { deviceId, status: 3, reason: 'SIGNATURE' } });
  });

  it('pauses in a hidden tab and resumes without missing or repeated events', async () => {
    const deviceId = await registerDevice();
    const { events, kind } = follow(deviceId);
    await waitFor(() => expect(kind()).toBe('live'));
    await failLogin(deviceId);
    await waitFor(() => expect(events).toHaveLength(1));
    act(() => setVisible(false));
    expect(kind()).toBe('paused');
    await failLogin(deviceId);
    await failLogin(deviceId);
    expect(events).toHaveLength(1);
    act(() => setVisible(true));
    await waitFor(() => expect(events).toHaveLength(3));
    expect(kind()).toBe('live');
  });

  it('reports a lost connection, reconnects, and refetches the page', async () => {
    const deviceId = await registerDevice();
    const { fetch } = globalThis;
    let offline = true;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      offline ? Promise.reject(new TypeError('network')) : fetch(url, init),
    );
    const { result, refetch, kind } = follow(deviceId);
    await waitFor(() => expect(kind()).toBe('reconnecting'));
    const [state] = [result.current];
    expect(state.kind === 'reconnecting' && state.retryAt > Date.now() - 1_000).toBe(true);
    offline = false;
    await waitFor(() => expect(kind()).toBe('live'));
    // Without a cursor the stream cannot resume, so the page must refetch.
    expect(refetch).toHaveBeenCalledTimes(1);
  });

  it('shows the expired-token dialog and does not reconnect', async () => {
    const deviceId = await registerDevice();
    const tokenExpired = vi.fn();
    const unregister = registerPresenter({ failed: vi.fn(), succeeded: vi.fn(), tokenExpired });
    saveSession({ ...session, token: 'no-such-token' });
    const { kind } = follow(deviceId);
    await waitFor(() => expect(tokenExpired).toHaveBeenCalledTimes(1));
    expect(kind()).toBe('connecting');
    unregister();
  });

  it('increases the delay after each failure, up to 30 s', () => {
    const waits = [0, 1, 2, 3, 4, 5, 20].map((failures) => backoffMs(failures, 0.5));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(backoffMs(0, 0)).toBeLessThan(backoffMs(0, 1));
  });

  it('ignores unknown events', () => {
    expect(readEvent({ event: 'novelty', data: '{}', id: undefined })).toBeUndefined();
    expect(readEvent({ event: undefined, data: '{}', id: undefined })).toBeUndefined();
    expect(readEvent({ event: 'gap', data: '{"kind":"log"}', id: '1' })).toEqual({ kind: 'gap' });
  });
});
