import type { Envelope } from '@device-center/contract';
import '@device-center/contract/test/random.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { append, BUFFER_MAX, cleared, emptyBuffer, type MessageBuffer } from './message-buffer.ts';
import type { LoggedMessage } from './message-entry.ts';
import { filtered, functionKinds, jsonLines, type MessageFilter, noFilter } from './message-filter.ts';

type More = Partial<Envelope> & { direction?: LoggedMessage['direction']; at?: number };

const message = ({ direction = 'up', at = 0, ...more }: More = {}): LoggedMessage => {
  const payload = more.payload ?? '{"properties":{"power":true}}';
  const fixed = { sessionId: 'S', tenantId: '3', version: '1.0.1', signMethod: 'md5', token: 'T' } as const;
  const envelope: Envelope = {
    ...fixed,
    dataFlow: 0,
    dataId: '10000',
    type: 2,
    deviceId: 'd1',
    length: payload.length,
    timestamp: at,
    signature: 's',
    ...more,
    payload,
  };
  return { at, direction, envelope };
};
const numbered = (from: number, to: number): LoggedMessage[] =>
  Array.from({ length: to - from }, (_, index) => message({ dataId: String(from + index) }));
const idsOf = ({ entries }: MessageBuffer): string[] => entries.map(({ envelope }) => envelope.dataId);

describe('MessageBuffer', () => {
  it('keeps the newest messages in order and counts dropped ones', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (sizes, max) => {
        let buffer = emptyBuffer;
        let sent = 0;
        for (const size of sizes) {
          buffer = append(buffer, numbered(sent, sent + size), max);
          sent += size;
        }
        const expectedCount = Math.min(sent, max);
        expect(idsOf(buffer)).toEqual(numbered(sent - expectedCount, sent).map(({ envelope }) => envelope.dataId));
        expect([buffer.received, buffer.dropped]).toEqual([sent, sent - expectedCount]);
        expect(new Set(buffer.entries.map(({ key }) => key)).size).toBe(expectedCount);
      }),
    );
  });

  it('stores an error at the response and at the newest request with its number', () => {
    const before = append(emptyBuffer, [message(), message({ payload: '{"properties":{"power":1}}' })]);
    const no = message({ direction: 'down', dataFlow: 1, payload: '{}', code: 40005, message: 'power: no' });
    const { entries } = append(before, [no]);
    const error = { code: 40005, message: 'power: no' };
    expect(entries.map((entry) => entry.error)).toEqual([undefined, error, error]);
    expect(entries[2]).toMatchObject({ functionType: 1, codes: ['power'] });
    // The previous buffer, which a paused view shows, is unchanged.
    expect(before.entries[1]?.error).toBeUndefined();
  });

  it('does not match a message of the same direction, another device or type as the request', () => {
    const others = [message({ direction: 'down' }), message({ deviceId: 'd2' }), message({ type: 3 })];
    const no = message({ direction: 'down', dataFlow: 1, payload: '{}', code: 40005 });
    const { entries } = append(append(emptyBuffer, others), [no]);
    expect(entries.slice(0, 3).map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  });

  it('clears the messages and keeps counting', () => {
    const buffer = cleared(append(emptyBuffer, numbered(0, 20), 5));
    expect([buffer.entries.length, buffer.received, buffer.dropped]).toEqual([0, 20, 0]);
    expect(append(buffer, numbered(20, 21)).entries[0]?.key).toBe(21);
  });

  it('keeps the newest ten thousand of many requests and responses', () => {
    let buffer = emptyBuffer;
    for (let from = 0; from < 12_000; from += 20) {
      const requests = numbered(from, from + 10);
      const answers = requests.map(({ envelope }) =>
        message({ ...envelope, direction: 'down', dataFlow: 1, code: 200 }),
      );
      buffer = append(buffer, [...requests, ...answers]);
    }
    expect([buffer.entries.length, buffer.dropped]).toEqual([BUFFER_MAX, 2_000]);
    expect([buffer.entries[0]?.key, buffer.entries.at(-1)?.key]).toEqual([2_001, 12_000]);
    expect(filtered(buffer.entries, { ...noFilter, functionType: 1, text: 'power' })).toHaveLength(BUFFER_MAX);
  });
});

describe('message filter', () => {
  const { entries } = append(emptyBuffer, [
    message({ dataId: '1' }),
    message({ dataId: '2', direction: 'down', type: 3, payload: '{"event":"fire","output":{}}' }),
    message({ dataId: '3', direction: 'down', type: 4, payload: '{"service":"open","input":{"Wide":3}}' }),
    message({ dataId: '3', dataFlow: 1, type: 4, payload: '{"output":{}}', code: 60002, message: 'warming up' }),
    message({ dataId: '4', type: 3, payload: '{"event":"otaProgress","output":{}}', deviceId: 'child' }),
    message({ dataId: '5', direction: 'down', type: 4, payload: '{"service":"restart","input":{}}' }),
    message({ dataId: '6', type: 6, payload: '{"logs":[]}' }),
  ]);
  const shown = (filter: Partial<MessageFilter>): string[] =>
    filtered(entries, { ...noFilter, ...filter }).map(({ envelope }) => envelope.dataId);

  // Spec 9.22
  it('filters by function type, numbered as in the spec', () => {
    expect(functionKinds).toEqual([0, 1, 22, 32, 21, 31]);
    expect(functionKinds.map((functionType) => [functionType, shown({ functionType })])).toEqual([
      [0, ['1', '2', '3', '3', '4', '5', '6']],
      [1, ['1']],
      [22, ['2']],
      [32, ['3', '3']],
      [21, ['4']],
      [31, ['5']],
    ]);
  });

  // Spec 9.24
  it('filters by direction, request or response, and device', () => {
    expect(shown({ direction: 'up' })).toEqual(['1', '3', '4', '6']);
    expect(shown({ direction: 'down' })).toEqual(['2', '3', '5']);
    expect(shown({ dataFlow: 1 })).toEqual(['3']);
    expect(shown({ dataFlow: 0, direction: 'up' })).toEqual(['1', '4', '6']);
    expect(shown({ deviceId: 'child' })).toEqual(['4']);
  });

  it('filters by a literal text, ignoring case', () => {
    expect(shown({ text: 'wide' })).toEqual(['3']);
    expect(shown({ text: ' WARMING ' })).toEqual(['3']);
    expect(shown({ text: '60002' })).toEqual(['3']);
    expect(shown({ text: '"open"' })).toEqual(['3']);
    expect(shown({ text: 'open' })).toEqual(['3', '3']);
    expect(shown({ text: '.*' })).toEqual([]);
    expect(shown({ text: '(' })).toEqual([]);
  });

  it('returns the same list without a filter', () => {
    expect(filtered(entries, noFilter)).toBe(entries);
  });

  it('exports one line of JSON per message, with the whole envelope', () => {
    const lines = jsonLines(filtered(entries, { ...noFilter, dataFlow: 1 })).split('\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      time: '1970-01-01T00:00:00.000Z',
      direction: 'up',
      functionType: 32,
      functions: ['open'],
      refusal: { code: 60002, message: 'warming up' },
      envelope: { dataId: '3', signature: 's', token: 'T' },
    });
  });
});
