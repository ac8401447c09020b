import { describe, expect, it } from 'vitest';
import { common, param, taken } from '../../../test/tsl-fixtures.ts';
import { heatPumpTsl } from '../../../test/tsl-sample.ts';
import type { DataType } from '../data-type.ts';
import { toTsl } from './to-tsl.ts';

const property = (signCode: string, functionName: string, accessMode: string, dataType: DataType, text?: string) => ({
  ...common(signCode, functionName, text),
  functionType: 1,
  functionDefinition: { accessMode, dataType },
});

describe('a TSL of every type', () => {
  const { functions, notes } = taken(heatPumpTsl);

  it.each([
    property('PowerSwitch', '电源开关', 'rw', { type: 'boolean', trueText: '开启', falseText: '关闭' }, '总电源'),
    property('TargetTemperature', '目标温度', 'rw', { type: 'integer', min: 16, max: 60, step: 1, unit: '°C' }),
    property('WaterTemperature', '出水温度', 'r', { type: 'double', min: -20.13, max: 100, step: 0.01, unit: '°C' }),
    property('Energy', '累计电量', 'r', { type: 'double', min: 0, max: 1e12, step: 0.01, unit: '千瓦时' }),
    property('WorkMode', '工作模式', 'rw', {
      type: 'enum',
      items: [
        { value: '0', description: '制热' },
        { value: '1', description: '制冷' },
        { value: '2', description: 'Hot_water' },
      ],
    }),
    property('SerialNumber', '序列号', 'r', { type: 'string', length: 2048 }),
    property('InstallTime', '安装时间', 'rw', { type: 'long' }),
    property('Compressor', '压缩机', 'r', {
      type: 'json',
      fields: [
        param('Speed', '转速', { type: 'integer', min: 0, max: 120, step: 1, unit: 'rps' }),
        param('Current', '电流', { type: 'double', min: 0, max: 50.5, step: 0.5 }),
        param('Running', '运行', { type: 'boolean', trueText: '运行', falseText: '停' }),
      ],
    }),
    property('Schedule', '时段', 'rw', {
      type: 'array',
      element: { type: 'json', fields: [param('Start', '开始', { type: 'string', length: 5 })] },
      count: 7,
    }),
    property('Readings', '采样', 'r', { type: 'array', element: { type: 'double' }, count: 128 }),
    {
      ...common('Started', '已启动'),
      functionType: 22,
      functionDefinition: {
        eventType: 'info',
        output: [param('result', 'result', { type: 'string', length: 100 }, false)],
      },
    },
    {
      ...common('HighPressure', '高压告警'),
      functionType: 22,
      functionDefinition: {
        eventType: 'alarm',
        output: [param('Pressure', '压力', { type: 'double', min: 0, max: 6, step: 0.01, unit: 'MPa' })],
      },
    },
    {
      ...common('SensorFault', '传感器故障'),
      functionType: 22,
      functionDefinition: {
        eventType: 'alarm',
        output: [
          param('Code', '故障码', {
            type: 'enum',
            items: [
              { value: '1', description: '开路' },
              { value: '2', description: '短路' },
              { value: 'n1', description: 'unknown' },
            ],
          }),
        ],
      },
    },
    {
      ...common('Defrost', '除霜'),
      functionType: 32,
      functionDefinition: {
        callType: 'sync',
        input: [param('Minutes', '分钟', { type: 'integer', min: 1, max: 30, step: 1, unit: 'min' })],
        output: [param('Accepted', '已接受', { type: 'boolean', trueText: '是', falseText: '否' })],
      },
    },
    {
      ...common('Silence', '消音'),
      functionType: 32,
      functionDefinition: {
        callType: 'async',
        input: [],
        output: [param('result', 'result', { type: 'string', length: 100 }, false)],
      },
    },
  ])('brings $signCode', (expected) => {
    const { signCode } = expected;
    expect(functions.find((entry) => entry.signCode === signCode)).toEqual(expected);
  });

  it('leaves out the calls that Alibaba adds by itself', () => {
    expect(functions).toHaveLength(15);
  });

  it('tells what was adapted, and nothing else', () => {
    expect(notes.map(({ place, text }) => `${place}: ${text.en_US}`)).toEqual([
      'properties[2].dataType.specs.min: -20.125 has too many decimals and was rounded to -20.13',
      'properties[2].dataType.specs.max: 99.999 has too many decimals and was rounded to 100',
      'properties[2].dataType.specs.step: 0.001 is out of range and was changed to 0.01',
      'properties[3].dataType.specs.max: 1e15 is out of range and was changed to 1000000000000',
      'properties[4].dataType.specs.2: "Hot water" is not valid and was changed to "Hot_water"',
      'properties[6].dataType.specs: The type date was imported as long: epoch milliseconds in UTC',
      'events[1].outputData: A service or event requires a parameter; the optional output parameter result was added',
      'events[3].required: The mandatory-function mark has no counterpart and was removed',
      'events[3].type: The event type error was imported as alarm',
      'events[3].outputData[0].dataType.specs: The enum value "-1" can have letters and digits only and was changed to "n1"; devices must send the new value',
      'services[3].outputData: A service or event requires a parameter; the optional output parameter result was added',
    ]);
    for (const { text } of notes) expect(text.zh_CN).toMatch(/[\u4e00-\u9fff]/);
  });

  it('goes out and comes back as it is here', () => {
    const { tsl } = toTsl(functions, { productKey: 'P1a2b3c4' });
    expect(taken(JSON.parse(JSON.stringify(tsl)))).toEqual({ ok: true, format: 'tsl', functions, notes: [] });
  });
});
