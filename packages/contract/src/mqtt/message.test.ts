import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/random.ts';
import { envelope, readEnvelope } from './message.ts';

const RUNS = runs(2_000, 100_000);

const right = {
  dataFlow: 0,
  sessionId: 'S1',
  tenantId: '3',
  version: '1.0.1',
  signMethod: 'md5',
  token: 'T1',
  dataId: '10000',
  type: 2,
  deviceId: 'dev0001',
  length: 2,
  payload: '{}',
  timestamp: 1767225600000,
  signature: 'ab',
};

const oddities = [
  ...[undefined, null, '', '0', '1', '01', '-1', 'x'.repeat(17), 'x'.repeat(65), 'x'.repeat(129), 'x'.repeat(501)],
  ...[0, 1, 2, -1, 1.5, 8.64e15, 8.64e15 + 1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY],
  ...[true, [], {}, '9007199254740993', '9007199254740991', 'md5', 'hmacsha256'],
];

describe('an envelope', () => {
  it('is read by hand exactly as its schema says', () => {
    const change = fc.record({
      field: fc.constantFrom(...Object.keys(right), 'code', 'message', 'extra'),
      value: fc.oneof(fc.constantFrom(...oddities), fc.anything()),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
        const value = Object.assign({}, right, ...changes.map(({ field, value }) => ({ [field]: value })));
        const bySchema = envelope.safeParse(value);
        const byHand = readEnvelope(value);
        if (bySchema.success) expect(byHand).toEqual(bySchema.data);
        else expect(byHand).toHaveProperty('wrong');
      }),
      { numRuns: RUNS },
    );
  });

  it.each([null, undefined, 1, 'text', [], [right]])('is never %j', (value) => {
    expect(envelope.safeParse(value).success).toBe(false);
    expect(readEnvelope(value)).toHaveProperty('wrong');
  });
});
