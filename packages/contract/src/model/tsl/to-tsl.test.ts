import { describe, expect, it } from 'vitest';
import { common, param, taken } from '../../../test/tsl-fixtures.ts';
import type { ModelFunction } from '../function-definition.ts';
import { toTsl } from './to-tsl.ts';

describe('a model written as TSL', () => {
  const functions: ModelFunction[] = [
    {
      ...common('ring', 'Ring'),
      functionType: 22,
      functionDefinition: {
        eventType: 'call',
        output: [param('多少', 'Count', { type: 'long', max: '9007199254740993', unit: 'x' }, false)],
      },
    },
    {
      ...common('mode', 'Mode'),
      functionType: 1,
      functionDefinition: {
        accessMode: 'rw',
        dataType: {
          type: 'array',
          element: {
            type: 'enum',
            items: [
              { value: '2', description: 'two' },
              { value: '1', description: 'one' },
              { value: 'x', description: 'other' },
            ],
          },
          count: 2,
        },
      },
    },
  ];
  const { tsl, notes } = toTsl(functions, { productKey: 'P1a2b3c4' });

  it('is what other readers know, with our own facts beside it', () => {
    expect(tsl).toEqual({
      schema: 'https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json',
      profile: { productKey: 'P1a2b3c4', version: '1.0' },
      properties: [
        {
          identifier: 'mode',
          name: 'Mode',
          accessMode: 'rw',
          desc: '',
          required: false,
          dataType: {
            type: 'array',
            specs: {
              size: '2',
              item: {
                type: 'enum',
                specs: { '1': 'one', '2': 'two', x: 'other' },
                'x-device-center': { order: ['2', '1', 'x'] },
              },
            },
          },
        },
      ],
      events: [
        {
          identifier: 'ring',
          name: 'Ring',
          type: 'info',
          desc: '',
          method: 'thing.event.ring.post',
          required: false,
          outputData: [
            {
              identifier: '多少',
              name: 'Count',
              required: false,
              dataType: {
                type: 'text',
                specs: { length: '20' },
                'x-device-center': { type: 'long', max: '9007199254740993', unit: 'x' },
              },
            },
          ],
          'x-device-center': { eventType: 'call' },
        },
      ],
      services: [],
      'x-device-center': { order: ['ring', 'mode'] },
    });
  });

  it('names what other readers lose', () => {
    expect(notes.map(({ place, text }) => `${place}: ${text.en_US}`)).toEqual([
      'properties[0].dataType.specs.item: Alibaba Cloud does not accept enum within a struct or array and rejects it',
      'properties[0].dataType.specs.item.specs.x: Alibaba Cloud accepts only integers as enum values and rejects "x"',
      'events[0].type: TSL has no notification events: other platforms read info',
      'events[0].outputData[0].identifier: Alibaba Cloud accepts only letters, digits and _ in identifiers and rejects "多少"',
      'events[0].outputData[0].required: TSL has no optional parameters: other platforms treat it as required',
      'events[0].outputData[0].dataType: TSL has no 64-bit integer: other platforms read a text of 20 characters, without limits and unit',
    ]);
    for (const { text } of notes) expect(text.zh_CN).toMatch(/[\u4e00-\u9fff]/);
  });

  it('follows whoever changed it since: what stands in TSL wins over our own facts', () => {
    const edited = JSON.parse(
      JSON.stringify(tsl).replace('"type":"info"', '"type":"alert"').replace('"text"', '"int"'),
    ) as unknown;
    const [ring] = taken(edited).functions;
    expect(ring).toMatchObject({
      functionDefinition: { eventType: 'alarm', output: [{ dataType: { type: 'integer' } }] },
    });
  });
});
