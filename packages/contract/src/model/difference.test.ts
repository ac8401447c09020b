import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyModel, RUNS } from '../../test/arbitrary-model.ts';
import { type BreakReason, compareModels, isBreaking } from './difference.ts';
import type { FunctionWithId } from './function-definition.ts';

const LONG = 600_000;

const base = (): FunctionWithId[] => [
  {
    id: '1',
    signCode: 'level',
    functionName: 'Level',
    functionType: 1,
    description: 'How bright',
    functionDefinition: { accessMode: 'rw', dataType: { type: 'integer', min: 0, max: 100, step: 1, unit: '%' } },
  },
  {
    id: '2',
    signCode: 'mode',
    functionName: 'Mode',
    functionType: 1,
    description: '',
    functionDefinition: {
      accessMode: 'r',
      dataType: {
        type: 'enum',
        items: [
          { value: '0', description: 'cool' },
          { value: '1', description: 'warm' },
        ],
      },
    },
  },
  {
    id: '3',
    signCode: 'total',
    functionName: 'Total',
    functionType: 1,
    description: '',
    functionDefinition: { accessMode: 'r', dataType: { type: 'long', max: '9007199254740993' } },
  },
  {
    id: '4',
    signCode: 'move',
    functionName: 'Move',
    functionType: 32,
    description: '',
    functionDefinition: {
      callType: 'sync',
      input: [
        { identifier: 'to', name: 'To', dataType: { type: 'string', length: 20 }, required: true },
        { identifier: 'fast', name: 'Fast', dataType: { type: 'boolean' }, required: false },
      ],
      output: [
        {
          identifier: 'path',
          name: 'Path',
          dataType: {
            type: 'array',
            element: {
              type: 'json',
              fields: [{ identifier: 'x', name: 'X', dataType: { type: 'double', min: 0.5 }, required: true }],
            },
            count: 9,
          },
          required: true,
        },
      ],
    },
  },
  {
    id: '5',
    signCode: 'burnt',
    functionName: 'Burnt',
    functionType: 22,
    description: '',
    functionDefinition: { eventType: 'alarm', output: [] },
  },
];

const definitionOf = '/functionDefinition';
const input = `${definitionOf}/input`;
const x = `${definitionOf}/output/0/dataType/element/fields/0`;
const extra = (required: boolean) => ({ identifier: 'new', name: 'New', dataType: { type: 'boolean' }, required });

/** The base model with one value set; `undefined` removes it. */
const withValue = (place: string, value: unknown): FunctionWithId[] => {
  const model = base();
  const steps = place.split('/');
  const last = steps.pop() ?? '';
  const holder = steps.reduce<Record<string, unknown>>(
    (inner, step) => inner[step] as Record<string, unknown>,
    model as unknown as Record<string, unknown>,
  );
  if (value !== undefined) holder[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return model;
};

const one: [what: string, place: string, value: unknown, path: string, breaks: BreakReason | null][] = [
  ['a range narrowed below', `0${definitionOf}/dataType/min`, 1, 'dataType min', 'narrowed'],
  ['a range narrowed above', `0${definitionOf}/dataType/max`, 99, 'dataType max', 'narrowed'],
  ['a range widened', `0${definitionOf}/dataType/max`, 101, 'dataType max', null],
  ['a limit taken away', `0${definitionOf}/dataType/max`, undefined, 'dataType max', null],
  ['a limit where there was none', `2${definitionOf}/dataType/min`, '0', 'dataType min', 'narrowed'],
  ['a long narrowed by one', `2${definitionOf}/dataType/max`, '9007199254740992', 'dataType max', 'narrowed'],
  ['a long widened by one', `2${definitionOf}/dataType/max`, '9007199254740994', 'dataType max', null],
  ['another step', `0${definitionOf}/dataType/step`, 5, 'dataType step', null],
  ['another unit', `0${definitionOf}/dataType/unit`, 'lm', 'dataType unit', null],
  ['another type', `0${definitionOf}/dataType`, { type: 'double' }, 'dataType', 'type'],
  ['a property that can no longer be set', `0${definitionOf}/accessMode`, 'r', 'accessMode', 'access'],
  ['a property that can now be set', `1${definitionOf}/accessMode`, 'rw', 'accessMode', null],
  ['an enum item removed', `1${definitionOf}/dataType/items/1`, undefined, 'dataType items 1', 'narrowed'],
  [
    'an enum item added',
    `1${definitionOf}/dataType/items/2`,
    { value: '2', description: 'hot' },
    'dataType items 2',
    null,
  ],
  ['an enum item called otherwise', `1${definitionOf}/dataType/items/1/description`, 'hot', 'dataType items 1', null],
  ['another name', '0/functionName', 'Brightness', 'functionName', null],
  ['another description', '0/description', '', 'description', null],
  ['another identifier', '0/signCode', 'brightness', 'signCode', 'renamed'],
  ['another way to call', `3${definitionOf}/callType`, 'async', 'callType', 'type'],
  ['another kind of event', `4${definitionOf}/eventType`, 'info', 'eventType', null],
  ['a parameter removed', `3${input}/1`, undefined, 'input fast', 'removed'],
  ['a parameter that must be there now', `3${input}/1/required`, true, 'input fast required', 'required'],
  ['a parameter that need not be there now', `3${input}/0/required`, false, 'input to required', null],
  ['a new parameter that must be there', `3${input}/2`, extra(true), 'input new', 'required'],
  ['a new parameter that need not', `3${input}/2`, extra(false), 'input new', null],
  ['a parameter called otherwise', `3${input}/0/name`, 'Where', 'input to name', null],
  ['a shorter text', `3${input}/0/dataType/length`, 19, 'input to dataType length', 'narrowed'],
  ['a longer text', `3${input}/0/dataType/length`, 21, 'input to dataType length', null],
  ['fewer entries', `3${definitionOf}/output/0/dataType/count`, 8, 'output path dataType count', 'narrowed'],
  ['deep down, a limit', `3${x}/dataType/min`, 0.6, 'output path dataType element fields x dataType min', 'narrowed'],
  ['deep down, a name', `3${x}/name`, 'Y', 'output path dataType element fields x name', null],
];

describe('the difference of two models', () => {
  it(
    'is none where there is none',
    () => {
      fc.assert(
        fc.property(anyModel(), (model) => {
          const copy = JSON.parse(JSON.stringify(model)) as FunctionWithId[];
          expect(compareModels(model, copy)).toEqual({ changes: [], reordered: false });
        }),
        { numRuns: RUNS },
      );
    },
    LONG,
  );

  it.each(one)('tells of %s', (_what, place, value, path, breaks) => {
    const after = withValue(place, value);
    const difference = compareModels(base(), after);
    const changed = after[Number(place.split('/')[0])];
    expect(difference.changes.map(({ kind, signCode, breaking }) => ({ kind, signCode, breaking }))).toEqual([
      { kind: 'changed', signCode: changed?.signCode, breaking: breaks !== null },
    ]);
    const details = difference.changes[0]?.details ?? [];
    expect(details.map((detail) => ({ path: detail.path.join(' '), breaks: detail.breaks }))).toEqual([
      { path, breaks },
    ]);
    expect(isBreaking(difference)).toBe(breaks !== null);
    expect(difference.reordered).toBe(false);
  });

  it('tells of a function removed, which breaks, and of one added, which does not', () => {
    const fewer = base().toSpliced(3, 1);
    const removed = compareModels(base(), fewer);
    expect(removed.changes).toMatchObject([{ kind: 'removed', signCode: 'move', breaking: true }]);
    expect(isBreaking(removed)).toBe(true);
    const added = compareModels(fewer, base());
    expect(added.changes).toMatchObject([{ kind: 'added', signCode: 'move', breaking: false }]);
    expect(isBreaking(added)).toBe(false);
    expect([removed.reordered, added.reordered]).toEqual([false, false]);
  });

  it('takes the same identifier of another type for a change of type', () => {
    const [level, ...others] = base();
    const [event] = base().slice(-1);
    const after = [{ ...event, id: level?.id, signCode: 'level' } as FunctionWithId, ...others];
    const { changes } = compareModels(base(), after);
    expect(changes).toMatchObject([{ kind: 'changed', signCode: 'level', breaking: true }]);
    expect(changes[0]?.details).toContainEqual({ path: ['functionType'], before: 1, after: 22, breaks: 'type' });
  });

  it('takes a new identifier without an id for one removed and one added', () => {
    const before = base().map(({ id: _id, ...entry }) => entry as FunctionWithId);
    const after = before.map((entry, index) => (index === 0 ? { ...entry, signCode: 'brightness' } : entry));
    expect(compareModels(before, after).changes.map(({ kind, signCode }) => `${kind} ${signCode}`)).toEqual([
      'removed level',
      'added brightness',
    ]);
  });

  it('knows another order from another model', () => {
    const turned = base().toReversed();
    expect(compareModels(base(), turned)).toEqual({ changes: [], reordered: true });
    const { changes } = compareModels(base(), withValue(`3${input}`, base()[3] && [extra(false)]));
    expect(isBreaking({ changes, reordered: false })).toBe(true);
  });

  it(
    'of any model and one without its last function is that function',
    () => {
      fc.assert(
        fc.property(
          anyModel().filter(({ length }) => length > 0),
          (model) => {
            const last = model.at(-1);
            const difference = compareModels(model, model.slice(0, -1));
            expect(difference.changes.map(({ kind, signCode }) => ({ kind, signCode }))).toEqual([
              { kind: 'removed', signCode: last?.signCode },
            ]);
            expect(isBreaking(difference)).toBe(true);
          },
        ),
        { numRuns: RUNS },
      );
    },
    LONG,
  );
});
