import { checkParams, checkValue, type ModelFunction } from '@device-center/contract';
import { anyDataType, anyModel, RUNS } from '@device-center/contract/test/arbitrary-model.ts';
import { SEED } from '@device-center/contract/test/random.ts';
import { createHistogram } from '@device-center/simulator/src/stats.ts';
import { createDeviceBehavior, nextValue } from '@device-center/virtual-device';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomOf } from './sync-proxy-fixtures.ts';

const random = randomOf(SEED);

describe('the values of simulated devices', () => {
  it('fit any data type, one after another', () => {
    fc.assert(
      fc.property(anyDataType(), (type) => {
        let value: unknown;
        for (let turn = 0; turn < 20; turn++) {
          value = nextValue(type, value, random);
          expect(checkValue(type, value)).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('fit also after a value of another type', () => {
    for (const before of ['x'.repeat(500), -1e9, null, [1, 2, 3], { a: 1 }, true])
      fc.assert(
        fc.property(anyDataType(), (type) => checkValue(type, nextValue(type, before, random)).length === 0),
        { numRuns: RUNS },
      );
  });

  it('change by a small part of the range, and do change', () => {
    const type = { type: 'double', min: -50, max: 150 } as const;
    const walk = Array.from<unknown, number>({ length: 500 }, () => 0);
    let value: unknown;
    for (const index of walk.keys()) {
      value = nextValue(type, value, random);
      walk[index] = Number(value);
    }
    const steps = walk.slice(1).map((now, index) => Math.abs(now - (walk[index] ?? now)));
    expect(Math.max(...steps)).toBeLessThanOrEqual(4.01);
    expect(new Set(walk).size).toBeGreaterThan(100);
  });

  it('fit events, services and answers of any model', () => {
    fc.assert(
      fc.property(anyModel(), (model) => {
        const body = createDeviceBehavior(model, random);
        const byCode = new Map(model.map((entry) => [entry.signCode, entry]));
        for (const [signCode, value] of Object.entries(body.nextReport() ?? {})) {
          const entry = byCode.get(signCode);
          expect(entry?.functionType === 1 && entry.functionDefinition.accessMode !== 'w').toBe(true);
          if (entry?.functionType === 1) expect(checkValue(entry.functionDefinition.dataType, value)).toEqual([]);
        }
        const happening = body.nextEvent();
        const event = happening && byCode.get(happening.event);
        if (event?.functionType === 22)
          expect(checkParams(event.functionDefinition.output, happening?.output)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a simulated device', () => {
  const model: ModelFunction[] = [
    {
      signCode: 'level',
      functionName: 'Level',
      description: '',
      functionType: 1,
      functionDefinition: { accessMode: 'rw', dataType: { type: 'integer', min: 0, max: 10 } },
    },
    {
      signCode: 'dim',
      functionName: 'Dim',
      description: '',
      functionType: 32,
      functionDefinition: {
        callType: 'sync',
        input: [{ identifier: 'to', name: 'To', dataType: { type: 'integer', min: 0, max: 10 }, required: true }],
        output: [{ identifier: 'now', name: 'Now', dataType: { type: 'integer', min: 0, max: 10 }, required: true }],
      },
    },
  ];

  it('stores what is set, and rejects invalid and unknown values', () => {
    const body = createDeviceBehavior(model, random);
    expect(body.set({ level: 7 })).toEqual({ level: 7 });
    expect(body.read(['level'])).toEqual({ level: 7 });
    expect(() => body.set({ level: 11 })).toThrow(expect.objectContaining({ codeName: 'VALUE' }));
    expect(() => body.set({ other: 1 })).toThrow(expect.objectContaining({ codeName: 'UNKNOWN_FUNCTION' }));
    expect(body.read(['level'])).toEqual({ level: 7 });
  });

  it('answers a service by its model', () => {
    const body = createDeviceBehavior(model, random);
    expect(body.serve('dim', { to: 3 })).toEqual({ now: expect.any(Number) });
    expect(() => body.serve('dim', {})).toThrow(expect.objectContaining({ codeName: 'VALUE' }));
    expect(() => body.serve('constructor', {})).toThrow(expect.objectContaining({ codeName: 'UNSUPPORTED' }));
  });
});

it('computes percentiles within a few percent', () => {
  const histogram = createHistogram();
  expect(histogram.percentile(0.5)).toBe(0);
  for (let ms = 1; ms <= 1_000; ms++) histogram.add(ms);
  for (const share of [0.5, 0.95, 0.99]) {
    expect(histogram.percentile(share)).toBeGreaterThanOrEqual(share * 1_000 * 0.99);
    expect(histogram.percentile(share)).toBeLessThanOrEqual(share * 1_000 * 1.05);
  }
});
