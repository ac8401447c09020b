import { compareModels, type DataType, type FunctionWithId, type Param } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLazyTexts } from '../i18n/lazy.ts';
import { loadAllTexts } from '../i18n/start.ts';
import { breakReasonText, pathTexts, valueText } from './change-texts.ts';
import { dataTypeText, definitionText, functionTypeText, modeText } from './function-texts.ts';

beforeAll(() => Promise.all([loadAllTexts(), loadLazyTexts('model')]));

const param = (identifier: string, dataType: DataType, required = true): Param => ({
  identifier,
  name: identifier.toUpperCase(),
  dataType,
  required,
});
const service = (input: Param[], output: Param[] = []): FunctionWithId => ({
  signCode: 'start',
  functionName: 'Start',
  functionType: 32,
  description: '',
  functionDefinition: { callType: 'async', input, output },
});

/** The text of each detail. */
const detailTexts = (before: FunctionWithId, after: FunctionWithId): string[] =>
  (compareModels([before], [after]).changes[0]?.details ?? []).map((detail) => {
    const key = detail.path.at(-1) ?? '';
    const values = `${valueText(key, detail.before)} → ${valueText(key, detail.after)}`;
    const reason = detail.breaks === null ? '' : ` [${breakReasonText(detail.breaks)}]`;
    return `${pathTexts(detail).join(' › ')}: ${values}${reason}`;
  });

describe('dataTypeText', () => {
  it.each<[DataType, string]>([
    [{ type: 'integer', min: 0, max: 100, step: 1, unit: '%' }, 'Integer 0–100 %, step 1'],
    [{ type: 'integer' }, 'Integer'],
    [{ type: 'double', min: -40, max: 125.5, unit: '°C' }, 'Double -40 – 125.5 °C'],
    [{ type: 'long', min: '0' }, 'Long ≥ 0'],
    [{ type: 'long', max: '9', step: '3' }, 'Long ≤ 9, step 3'],
    [{ type: 'boolean' }, 'Boolean'],
    [{ type: 'boolean', trueText: 'on' }, 'Boolean: on/false'],
    [{ type: 'string', length: 32 }, 'String, up to 32 characters'],
    [{ type: 'enum', items: [{ value: '0', description: 'Off' }] }, 'Enum: Off'],
    [{ type: 'array', count: 4, element: { type: 'integer', max: 9 } }, 'Array, up to 4: Integer ≤ 9'],
    [{ type: 'json', fields: [param('x', { type: 'boolean' })] }, 'Object, 1 field'],
  ])('%j', (type, words) => {
    expect(dataTypeText(type)).toBe(words);
  });

  it('shows the first items of a long enum and their number', () => {
    const items = ['Auto', 'Cool', 'Heat', 'Dry'].map((description, index) => ({ value: String(index), description }));
    expect(dataTypeText({ type: 'enum', items })).toBe('Enum: Auto, Cool, Heat … (4)');
  });
});

describe('texts of a function', () => {
  it('shows type, parameters and mode', () => {
    const fn = service([param('a', { type: 'boolean' })], []);
    expect([functionTypeText(32), definitionText(fn), modeText(fn)]).toEqual([
      'Service',
      'Input: 1, output: 0',
      'Asynchronous',
    ]);
  });
});

describe('texts of a change', () => {
  it('shows path, old and new value, and why the change is breaking', () => {
    const before = service([param('level', { type: 'integer', max: 100 })]);
    const after = service([param('level', { type: 'integer', max: 80 })]);
    expect(detailTexts(before, after)).toEqual(['Input parameter level › Maximum: 100 → 80 [range narrowed]']);
  });

  it('distinguishes identifiers from keys of the model', () => {
    const inner = (max: number): DataType => ({
      type: 'json',
      fields: [param('dataType', { type: 'integer', max }), param('order', { type: 'boolean' })],
    });
    expect(detailTexts(service([param('input', inner(1))]), service([param('input', inner(2))]))).toEqual([
      'Input parameter input › Field dataType › Maximum: 1 → 2',
    ]);
  });

  it('shows added, removed and moved parameters', () => {
    const [x, y, order] = [
      param('x', { type: 'boolean' }),
      param('y', { type: 'string', length: 5 }, false),
      param('order', { type: 'boolean' }),
    ];
    expect(detailTexts(service([x, y]), service([y, x]))).toEqual(['Input parameters › Order: x, y → y, x']);
    expect(detailTexts(service([x]), service([x, order]))).toEqual([
      'Input parameter order: none → ORDER (Boolean, Required) [now required]',
    ]);
    expect(detailTexts(service([x, y]), service([x]))).toEqual([
      'Input parameter y: Y (String, up to 5 characters, Optional) → none [removed]',
    ]);
  });

  it('shows values of a property', () => {
    const property = (accessMode: 'rw' | 'r', dataType: DataType): FunctionWithId => ({
      signCode: 'p',
      functionName: 'P',
      functionType: 1,
      description: '',
      functionDefinition: { accessMode, dataType },
    });
    const items = (...values: string[]): DataType => ({
      type: 'array',
      count: 3,
      element: { type: 'enum', items: values.map((value) => ({ value, description: `item ${value}` })) },
    });
    expect(detailTexts(property('rw', items('1', '2')), property('r', items('1', '3')))).toEqual([
      'Access: Read-write → Read-only [access restricted]',
      'Element › Enum item 2: item 2 → none [range narrowed]',
      'Element › Enum item 3: none → item 3',
    ]);
    expect(detailTexts(property('r', items('1')), property('r', { type: 'boolean' }))).toEqual([
      'Data type: Array, up to 3: Enum: item 1 → Boolean [type changed]',
    ]);
  });
});
