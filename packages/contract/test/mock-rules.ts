import * as fields from '../src/fields.ts';
import { MOCK_CHILDREN_MAX, MOCK_STEPS_MAX, mockCalls } from '../src/http/mock.ts';
import { at, emptyOr, type Rule, refuse } from './rule-fixtures.ts';

const { createMockDevice, addMockChildren, saveFunctionDefaults, saveMockRun } = mockCalls;
const NO_PRODUCT = 'PRODUCT_NOT_FOUND';
const NOBODY = 'DEVICE_NOT_FOUND';

const child = { deviceName: '子设备', productId: 'nobody' };
const children = (count: number): string => JSON.stringify(Array.from({ length: count }, () => child));
const step = { after: 100, deviceId: 'nobody', kind: 'property', name: '', value: { power: true } };
const steps = (count: number): string => JSON.stringify(Array.from({ length: count }, () => step));
const large = 'x'.repeat(256 * 1024);

const notAList = refuse('INVALID', 'x', '{}', '7', '"[]"');
const tooManyChildren = {
  value: children(MOCK_CHILDREN_MAX + 1),
  says: 'TOO_MANY_CHILDREN',
  limit: { maximum: MOCK_CHILDREN_MAX },
} as const;

/** Field rules of mock devices. Responses to an accepted value: the product or device does not exist. */
export const mockRules: Rule[] = [
  {
    rule: 'product of a mock device',
    schema: createMockDevice.input.shape.productId,
    places: [at('mock.createMockDevice', 'productId', NO_PRODUCT)],
    accepted: ['nobody', 'P'.repeat(64)],
    refused: [
      ...refuse('NO_MOCK_PRODUCT', ''),
      { value: 'P'.repeat(65), says: 'TOO_LONG', limit: { maximum: 64 } },
      ...refuse('INVALID', 'a\u0000'),
    ],
  },
  {
    rule: 'children of a new mock device',
    schema: createMockDevice.input.shape.children,
    places: [at('mock.createMockDevice', 'children', NO_PRODUCT)],
    accepted: ['[]', children(1), children(MOCK_CHILDREN_MAX)],
    refused: [...notAList, ...refuse('REQUIRED', 'null'), tooManyChildren],
  },
  {
    rule: 'more children of a mock gateway',
    schema: addMockChildren.input.shape.children,
    places: [at('mock.addMockChildren', 'children', NOBODY)],
    accepted: [children(1), children(MOCK_CHILDREN_MAX)],
    refused: [...notAList, ...refuse('TOO_FEW', '[]', 'null'), tooManyChildren],
  },
  {
    rule: 'default values',
    schema: saveFunctionDefaults.input.shape.values,
    places: [at('mock.saveFunctionDefaults', 'values', NOBODY)],
    accepted: ['{}', '{"power":true}', '{"power":null}', '{"constructor":{"any":["thing"]}}'],
    refused: [
      ...refuse('INVALID', '', 'x', '[]', '7', '"{}"'),
      ...refuse('REQUIRED', 'null'),
      ...refuse('VALUES_TOO_LARGE', JSON.stringify({ text: large })),
    ],
  },
  {
    rule: 'whether a mock device runs on in the hub',
    schema: saveMockRun.input.shape.runInHub,
    places: [at('mock.saveMockRun', 'runInHub', NOBODY)],
    accepted: ['0', '1'],
    refused: emptyOr('NOT_AN_OPTION', '2', 'true'),
  },
  {
    rule: 'what it then sends',
    schema: saveMockRun.input.shape.mode,
    places: [at('mock.saveMockRun', 'mode', NOBODY)],
    accepted: ['1', '2'],
    refused: emptyOr('NOT_AN_OPTION', '0', '3', 'wander'),
  },
  {
    rule: 'how often',
    schema: saveMockRun.input.shape.everySeconds,
    places: [at('mock.saveMockRun', 'everySeconds', NOBODY)],
    accepted: ['1', '3600'],
    refused: [
      ...emptyOr('NOT_A_NUMBER', 'x', '1.5'),
      { value: '0', says: 'TOO_SMALL', limit: { minimum: 1 } },
      { value: '3601', says: 'TOO_BIG', limit: { maximum: 3_600 } },
    ],
  },
  {
    rule: 'recorded sequence',
    schema: saveMockRun.input.shape.sequence,
    places: [at('mock.saveMockRun', 'sequence', NOBODY)],
    accepted: ['[]', steps(1), steps(MOCK_STEPS_MAX)],
    refused: [
      ...notAList,
      { value: steps(MOCK_STEPS_MAX + 1), says: 'TOO_MANY', limit: { maximum: MOCK_STEPS_MAX } },
      ...refuse('VALUES_TOO_LARGE', JSON.stringify([{ ...step, value: large }])),
    ],
  },
  {
    rule: 'which mock devices',
    schema: fields.blankable(fields.formOption([1, 2, 3])),
    places: [at('mock.queryMockDeviceList', 'nodeType')],
    accepted: ['', '1', '2', '3'],
    refused: refuse('NOT_AN_OPTION', '0', '4', 'x'),
  },
];
