import type { Envelope } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { responseErrorOf, summarizeEnvelope } from './message-entry.ts';

const envelope = (type: number, payload: unknown, more: Partial<Envelope> = {}): Envelope => {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return {
    dataFlow: 0,
    sessionId: 'S1',
    tenantId: '3',
    version: '1.0.1',
    signMethod: 'md5',
    token: 'T1',
    dataId: '10000',
    type,
    deviceId: 'd1',
    length: text.length,
    payload: text,
    timestamp: 0,
    signature: '',
    ...more,
  };
};

describe('summarizeEnvelope', () => {
  // Spec 9.28
  it.each([
    ['one property', 2, { properties: { power: true } }, [1, ['power'], 'true']],
    ['several properties', 2, { properties: { a: 1, b: 2 }, time: 5 }, [1, ['a', 'b'], '{"a":1,"b":2}']],
    ['a property query', 2, { get: ['a', 'b'] }, [1, ['a', 'b'], '']],
    ['an event', 3, { event: 'fire', output: { heat: 9 } }, [22, ['fire'], '{"heat":9}']],
    ['an event of the system', 3, { event: 'otaProgress', output: {} }, [21, ['otaProgress'], '']],
    ['a service', 4, { service: 'open', input: { wide: 3 } }, [32, ['open'], '{"wide":3}']],
    ['a service of the system', 4, { service: 'restart', input: { type: 1 } }, [31, ['restart'], '{"type":1}']],
    ['a log-in', 1, { op: 'online', versionNumber: '1' }, [0, ['online'], '{"versionNumber":"1"}']],
    ['an identity', 5, { sdk: 'x' }, [0, [], '{"sdk":"x"}']],
    ['a log', 6, { logs: [{ level: 4, time: 1, log: 'hello' }] }, [0, [], 'hello']],
    ['bytes as they are', 7, 'AP8K', [0, [], 'AP8K']],
    ['a child login', 8, { op: 'login', child: { deviceId: 'c1' } }, [0, ['login'], 'c1']],
    ['a child logout', 8, { op: 'logout', deviceId: 'c1' }, [0, ['logout'], 'c1']],
    ['a new token', 9, {}, [0, [], '']],
    ['a sync request', 10, { ask: ['time', 'model'] }, [0, ['time', 'model'], '']],
    ['a notice', 10, { changed: ['config'] }, [0, ['config'], '']],
    ['an unknown type', 77, 'whatever', [0, [], 'whatever']],
    ['invalid JSON', 2, '{"properties"', [1, [], '']],
    ['an unexpected shape', 3, ['event'], [22, [], '']],
  ] as const)('%s', (_name, type, payload, [functionType, codes, value]) => {
    expect(summarizeEnvelope(envelope(type, payload))).toEqual({ functionType, codes, value });
  });

  it('takes the function of a response from its request, and the value from the response', () => {
    const request = summarizeEnvelope(envelope(4, { service: 'restart', input: { type: 1 } }));
    const response = envelope(4, { output: { ok: true } }, { dataFlow: 1, code: 200 });
    expect(summarizeEnvelope(response, request)).toEqual({
      functionType: 31,
      codes: ['restart'],
      value: '{"ok":true}',
    });
    const set = summarizeEnvelope(envelope(2, { properties: { a: 1, b: 2 } }));
    const answer = envelope(2, { properties: { a: 1 } }, { dataFlow: 1, code: 200 });
    expect(summarizeEnvelope(answer, set)).toEqual({ functionType: 1, codes: ['a'], value: '1' });
    expect(summarizeEnvelope(envelope(2, {}, { dataFlow: 1, code: 40005 }), set).codes).toEqual(['a', 'b']);
  });

  it('truncates a long value', () => {
    expect(summarizeEnvelope(envelope(2, { properties: { text: 'x'.repeat(5_000) } })).value.length).toBeLessThan(300);
  });

  it('returns an error only for a failed response', () => {
    expect(responseErrorOf(envelope(2, {}, { dataFlow: 1, code: 200 }))).toBeUndefined();
    expect(responseErrorOf(envelope(2, {}, { code: 40005 }))).toBeUndefined();
    expect(responseErrorOf(envelope(2, {}, { dataFlow: 1, code: 40005, message: 'a: too big' }))).toEqual({
      code: 40005,
      message: 'a: too big',
    });
  });
});
