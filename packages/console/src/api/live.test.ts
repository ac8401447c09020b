import { applicationCalls, bucketCalls, deviceCalls, Menu, productCalls } from '@device-center/contract';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { admin, client, createUserWithMenus, type LoginAnswer, unique } from '../../test/hub.ts';
import { presentWith } from './feedback.ts';
import { backoffMs, type LiveEvent, readEvent, useLive } from './live.ts';
import { saveSession } from './session.ts';

const setVisible = (visible: boolean): void => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: visible ? 'visible' : 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('live data', () => {
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
  const knock = (deviceId: string) =>
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

  it('tells what happens at the hub', async () => {
    const deviceId = await registerDevice();
    const { events, kind } = follow(deviceId);
    await waitFor(() => expect(kind()).toBe('live'));
    await knock(deviceId);
    await waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: 'presence', data: { deviceId, status: 3, reason: 'SIGNATURE' } });
  });

  it('rests in a hidden tab, and then goes on from where it was, with nothing missing and nothing twice', async () => {
    const deviceId = await registerDevice();
    const { events, kind } = follow(deviceId);
    await waitFor(() => expect(kind()).toBe('live'));
    await knock(deviceId);
    await waitFor(() => expect(events).toHaveLength(1));
    act(() => setVisible(false));
    expect(kind()).toBe('paused');
    await knock(deviceId);
    await knock(deviceId);
    expect(events).toHaveLength(1);
    act(() => setVisible(true));
    await waitFor(() => expect(events).toHaveLength(3));
    expect(kind()).toBe('live');
  });

  it('says that it is away, tries again, and reads the page anew meanwhile', async () => {
    const deviceId = await registerDevice();
    const { fetch } = globalThis;
    let away = true;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      away ? Promise.reject(new TypeError('network')) : fetch(url, init),
    );
    const { result, refetch, kind } = follow(deviceId);
    await waitFor(() => expect(kind()).toBe('reconnecting'));
    const [state] = [result.current];
    expect(state.kind === 'reconnecting' && state.retryAt > Date.now() - 1_000).toBe(true);
    away = false;
    await waitFor(() => expect(kind()).toBe('live'));
    // Without a cursor the stream cannot resume, so the page must refetch.
    expect(refetch).toHaveBeenCalledTimes(1);
  });

  it('ends in the dialog of an expired token, and does not try again', async () => {
    const deviceId = await registerDevice();
    const tokenExpired = vi.fn();
    const stepDown = presentWith({ failed: vi.fn(), succeeded: vi.fn(), tokenExpired });
    saveSession({ ...session, token: 'no-such-token' });
    const { kind } = follow(deviceId);
    await waitFor(() => expect(tokenExpired).toHaveBeenCalledTimes(1));
    expect(kind()).toBe('connecting');
    stepDown();
  });

  it('waits longer after each failure, up to half a minute', () => {
    const waits = [0, 1, 2, 3, 4, 5, 20].map((failures) => backoffMs(failures, 0.5));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(backoffMs(0, 0)).toBeLessThan(backoffMs(0, 1));
  });

  it('passes over events that it does not know', () => {
    expect(readEvent({ event: 'novelty', data: '{}', id: undefined })).toBeUndefined();
    expect(readEvent({ event: undefined, data: '{}', id: undefined })).toBeUndefined();
    expect(readEvent({ event: 'gap', data: '{"kind":"log"}', id: '1' })).toEqual({ kind: 'gap' });
  });
});
