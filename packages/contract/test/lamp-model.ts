import type { ModelFunction } from '../src/model/function-definition.ts';

/** A small model with names that code generators must escape: C keywords, comment ends, Chinese, leading digits. */
export const lamp: ModelFunction[] = [
  {
    signCode: 'level',
    functionName: '亮度 */ end',
    functionType: 1,
    description: 'How bright',
    functionDefinition: {
      accessMode: 'rw',
      dataType: { type: 'integer', min: -2147483648, max: 100, step: 5, unit: '%"\\??/' },
    },
  },
  {
    signCode: '模式',
    functionName: 'Mode',
    functionType: 1,
    description: '',
    functionDefinition: {
      accessMode: 'r',
      dataType: {
        type: 'enum',
        items: [
          { value: '0', description: 'cool' },
          { value: 'a', description: '暖' },
          { value: 'A', description: 'warm' },
        ],
      },
    },
  },
  {
    signCode: 'move',
    functionName: 'Move',
    functionType: 32,
    description: '',
    functionDefinition: {
      callType: 'async',
      input: [
        { identifier: 'int', name: 'Whole', dataType: { type: 'long', min: '-9223372036854775808' }, required: true },
        {
          identifier: '1st',
          name: 'First',
          dataType: { type: 'array', element: { type: 'string', length: 10 }, count: 3 },
          required: false,
        },
        {
          identifier: 'at',
          name: 'Place',
          dataType: {
            type: 'json',
            fields: [{ identifier: 'x', name: 'X', dataType: { type: 'double', min: -1.5, max: 2 }, required: true }],
          },
          required: true,
        },
      ],
      output: [],
    },
  },
  {
    signCode: 'burnt',
    functionName: 'Burnt out',
    functionType: 22,
    description: '',
    functionDefinition: {
      eventType: 'alarm',
      output: [
        {
          identifier: 'since',
          name: 'Since',
          dataType: { type: 'boolean', trueText: '是', falseText: '否' },
          required: true,
        },
      ],
    },
  },
];
