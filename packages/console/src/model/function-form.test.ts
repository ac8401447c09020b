import { type FunctionWithId, submittedFunction } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { createFormStore, valueAt } from './form-store.ts';
import { blankForm, formOf, rawOf } from './function-form.ts';
import { itemsOfLines } from './item-lines.ts';
import { problemsOf } from './problems.ts';
import { suggestIdentifier } from './suggest.ts';

const schedule: FunctionWithId = {
  id: '1',
  signCode: 'schedule',
  functionName: 'Schedule',
  functionType: 32,
  description: 'Each week',
  functionDefinition: {
    callType: 'sync',
    input: [
      {
        identifier: 'days',
        name: 'Days',
        required: true,
        dataType: {
          type: 'array',
          count: 7,
          element: {
            type: 'json',
            fields: [
              { identifier: 'level', name: 'Level', required: false, dataType: { type: 'double', min: 0.5, max: 2 } },
              { identifier: 'at', name: 'At', required: true, dataType: { type: 'long', max: '9007199254740993' } },
            ],
          },
        },
      },
    ],
    output: [],
  },
};

const storeOf = (fn: FunctionWithId, taken: string[] = []) => createFormStore(formOf(fn), new Set(taken));
const LEVEL = 'functionDefinition.input.0.dataType.element.fields.0';

describe('the form of a function', () => {
  it('converts a function to a form and back', () => {
    expect(submittedFunction.parse(rawOf(formOf(schedule)))).toEqual(schedule);
  });

  it('stores texts as typed and parses them with the contract', () => {
    const store = storeOf(schedule);
    store.getState().set(`${LEVEL}.dataType.max`, '1.5');
    expect(store.getState().problems).toEqual(
      new Map([[`${LEVEL}.dataType.max`, 'Needs one decimal point and exactly two decimals']]),
    );
    store.getState().set(`${LEVEL}.dataType.max`, '1.50');
    expect(store.getState().problems.size).toBe(0);
    const fn = store.getState().finish();
    expect(valueAt(fn, `${LEVEL}.dataType.max`)).toBe(1.5);
  });

  it('omits a limit if its field is empty', () => {
    const store = storeOf(schedule);
    store.getState().set(`${LEVEL}.dataType.min`, '');
    expect(valueAt(store.getState().finish(), `${LEVEL}.dataType`)).toEqual({ type: 'double', max: 2 });
  });

  it('keeps the input of a data type while another one is selected', () => {
    const store = storeOf(schedule);
    store.getState().set(`${LEVEL}.dataType.type`, 'boolean');
    expect(valueAt(store.getState().finish(), `${LEVEL}.dataType`)).toEqual({ type: 'boolean' });
    store.getState().set(`${LEVEL}.dataType.type`, 'double');
    expect(store.getState().finish()).toEqual(schedule);
  });

  it('rejects an identifier that another function uses', () => {
    expect(storeOf(schedule, ['schedule']).getState().problems).toEqual(
      new Map([['signCode', 'Duplicate of an earlier entry']]),
    );
  });

  it('expands the parameters that contain a problem when applying', () => {
    const store = storeOf(schedule);
    const key = (path: string) => (valueAt(store.getState().form, path) as { key: string }).key;
    store.getState().set(`${LEVEL}.name`, '');
    expect(store.getState().open.size).toBe(0);
    expect(store.getState().finish()).toBeUndefined();
    expect([...store.getState().open]).toEqual([key('functionDefinition.input.0'), key(LEVEL)]);
  });

  // Spec 5.35
  it('requires a parameter of a new service', () => {
    const { functionDefinition, ...rest } = blankForm(32);
    const raw = rawOf({
      ...rest,
      signCode: 'run',
      functionName: 'Run',
      functionDefinition: { ...functionDefinition, input: [] },
    });
    expect([...problemsOf(raw, new Set())]).toEqual([
      ['functionDefinition.input', 'At least one input or output parameter is required'],
    ]);
  });
});

describe('itemsOfLines', () => {
  it('parses the formats of data sheets and source code', () => {
    const pairs = itemsOfLines('0 Off\n1\tOn now\n 2: Auto \r\n"3": "Eco",\n4=Boost\n\n5，强劲\n6');
    expect(pairs.map(({ value, description }) => [value, description])).toEqual([
      ['0', 'Off'],
      ['1', 'On now'],
      ['2', 'Auto'],
      ['3', 'Eco'],
      ['4', 'Boost'],
      ['5', '强劲'],
      ['6', ''],
    ]);
  });
});

describe('suggestIdentifier', () => {
  it.each([
    ['Target temperature', 'targetTemperature'],
    ['LED on/off', 'ledOnOff'],
    ['power', 'power'],
    ['温度', ''],
    ['', ''],
  ])('%s → %s', (name, identifier) => {
    expect(suggestIdentifier(name)).toBe(identifier);
  });
});
