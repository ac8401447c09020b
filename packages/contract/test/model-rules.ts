import * as fields from '../src/fields.ts';
import { functionsOrReferences } from '../src/http/function-list.ts';
import {
  functionDefinition,
  type ModelFunction,
  modelOfCategory,
  modelOfProduct,
  ownFunctionTypes,
} from '../src/model/function-definition.ts';
import { at, emptyOr, type Place, type Rule, refuse } from './rule-fixtures.ts';

const switchFunction = (signCode: string): ModelFunction => ({
  signCode,
  functionName: '开关',
  functionType: 1,
  description: '',
  functionDefinition: { accessMode: 'rw', dataType: { type: 'boolean' } },
});
const switches = (count: number): ModelFunction[] =>
  Array.from({ length: count }, (_, index) => switchFunction(`s${index}`));

const definition = switchFunction('s').functionDefinition;
/** Deeper than any valid definition; must not overflow the stack. */
const deep = `${'{"dataType":'.repeat(400)}1${'}'.repeat(400)}`;

/** Calls with one function, of a category or product. */
const single = (field: string): Place[] => [
  at('category.addOpenFunction', field),
  at('category.updateOpenFunction', field),
  at('model.addProductFunction', field),
  at('model.updateProductFunction', field),
];

const notAList = refuse('INVALID', 'x', '{}', '7', '"[]"');

/** Field rules of functions and models, which a form sends as JSON text. Nested errors are reported with their path. */
export const modelRules: Rule[] = [
  {
    rule: 'function name',
    schema: fields.functionName(),
    places: single('functionName'),
    accepted: ['中', 'a', '7', 'PM2.5 (μg/m³)', '中'.repeat(31), `a${'!'.repeat(30)}`, 'a😀'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse(
        'FUNCTION_NAME',
        'a'.repeat(32),
        ' a',
        '_a',
        '-',
        '!',
        'é',
        '（灯）',
        'a\nb',
        'a\u0000',
        'a\u2028',
        '😀',
      ),
    ],
  },
  {
    rule: 'identifier of a function',
    schema: fields.signCode(),
    places: single('signCode'),
    accepted: [
      'a',
      '1',
      '_',
      'A_b1',
      '中',
      '中文1_a',
      'a'.repeat(50),
      '中'.repeat(25),
      'constructor',
      'Set',
      'settings',
    ],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse(
        'IDENTIFIER',
        'a b',
        'a-b',
        'a.b',
        'é',
        'a'.repeat(51),
        '中'.repeat(26),
        `中${'a'.repeat(25)}`,
        'a\n',
        ' ',
      ),
      ...refuse(
        'IDENTIFIER_RESERVED',
        'set',
        'get',
        'post',
        'property',
        'event',
        'service',
        'time',
        'value',
        '__proto__',
      ),
    ],
  },
  {
    rule: 'function type',
    schema: fields.formOption(ownFunctionTypes),
    places: [at('category.addOpenFunction', 'functionType'), at('model.addProductFunction', 'functionType')],
    accepted: ['1', ' 1 '],
    refused: emptyOr('NOT_AN_OPTION', '0', '2', '3', '21', '31', 'property'),
  },
  {
    rule: 'function type that may be left out',
    schema: fields.blankable(fields.formOption(ownFunctionTypes)),
    places: [at('model.updateProductFunction', 'functionType'), at('category.getOpenFunctions', 'functionType')],
    accepted: ['', '1'],
    refused: refuse('NOT_AN_OPTION', '0', '21', '31', 'x', ' '),
  },
  {
    rule: 'function definition',
    schema: functionDefinition(),
    places: single('functionDefinition'),
    accepted: [definition, JSON.stringify(definition)],
    refused: [
      ...refuse('REQUIRED', '', 'null'),
      ...refuse('DEFINITION_KIND', '{}', '[]', 'x', '7', '"rw"', '{"type":"boolean"}'),
      ...refuse('TOO_DEEP', deep, `[${deep}]`),
    ],
  },
  {
    rule: 'functions to add',
    schema: functionsOrReferences(),
    places: [at('category.addOpenFunctions', 'functions'), at('model.addProductFunctions', 'functions')],
    accepted: [switches(2), JSON.stringify(switches(2)), switches(100)],
    refused: [
      ...notAList,
      ...refuse('NO_FUNCTION', '[]'),
      ...refuse('TOO_MANY_FUNCTIONS', JSON.stringify(switches(101)), JSON.stringify(Array(101).fill({ id: 'x' }))),
    ],
  },
  {
    rule: 'the functions of a product',
    schema: modelOfProduct(),
    places: [at('model.saveProductModel', 'functions'), at('model.previewProductModel', 'functions')],
    accepted: ['[]', switches(1), JSON.stringify(switches(500))],
    refused: [...notAList, { value: JSON.stringify(switches(501)), says: 'ENTRIES_MANY', limit: { maximum: 500 } }],
  },
  {
    rule: 'the functions of a category',
    schema: modelOfCategory(),
    places: [at('category.saveOpenFunctions', 'functions')],
    accepted: ['[]', switches(1), JSON.stringify(switches(200))],
    refused: [...notAList, { value: JSON.stringify(switches(201)), says: 'ENTRIES_MANY', limit: { maximum: 200 } }],
  },
];
