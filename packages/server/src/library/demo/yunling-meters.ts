import { boolean, choice, double, event, param, property, service } from '../texts.ts';
import { type DemoProduct, numbered, type OwnCategory } from './company.ts';

/** Meters of the buildings: electricity and water. */

const towers = ['A座', 'B座', 'C座'];
export const tower = (index: number): string => towers[index % towers.length] ?? 'A座';
/** Also includes the garage, which has lamps, doors and meters, but no floors. */
export const towerOrGarage = (index: number): string => (index % 4 === 3 ? '地库' : tower(index));

export const waterCategory: OwnCategory = {
  key: 'water',
  categoryName: '远传水表',
  description: '带阀门的超声波水表',
  functions: [
    property('totalVolume', '累计用水量', 'r', double(0, 10_000_000, 'm³', 0.01)),
    property('flow', '瞬时流量', 'r', double(0, 100, 'm³/h', 0.01)),
    property('pressure', '管网压力', 'r', double(0, 2, 'MPa', 0.01)),
    property('waterTemperature', '水温', 'r', double(-10, 90, '°C')),
    property('valve', '阀门', 'rw', choice(['open', '打开'], ['closed', '关闭'])),
    service(
      'readMeter',
      '立即抄表',
      [param('withPressure', '包含压力', boolean('是', '否'), false)],
      [param('totalVolume', '累计用水量', double(0, 10_000_000, 'm³', 0.01))],
    ),
    event('leakSuspected', '疑似漏水', 'alarm', [param('flow', '夜间流量', double(0, 100, 'm³/h', 0.01))]),
  ],
};

export const electricity: DemoProduct = {
  key: 'electricity-meter',
  productName: '三相智能电表',
  description: '分层计量，每分钟上报',
  category: 'std-electricity-meter',
  functions: [property('demand', '当月最大需量', 'r', double(0, 1000, 'kW', 0.01))],
  nodeType: 1,
  protocolId: 3,
  classId: 4,
  application: 1,
  versions: ['4.1.0', '4.1.3'],
  runs: () => '4.1.3',
  hardware: 'EM-3P-C',
  idPrefix: 'YLEM23',
  names: numbered(10, (number, index) => `${towerOrGarage(index)}配电间电表${number}`),
  curves: {
    totalEnergy: { kind: 'meter', start: 120_000, perDay: 640, decimals: 2 },
    phases: {
      kind: 'list',
      entries: [0, 1, 2].map((phase) => ({
        kind: 'fields' as const,
        fields: {
          voltage: { kind: 'daily' as const, low: 226, high: 234, peakHour: 4, noise: 1.4, decimals: 1 },
          current: { kind: 'working' as const, idle: 12, busy: 62 + phase * 3, noise: 5, decimals: 2 },
          activePower: { kind: 'working' as const, idle: 2_600, busy: 13_400, noise: 900, decimals: 0 },
          powerFactor: { kind: 'daily' as const, low: 0.9, high: 0.96, peakHour: 12, noise: 0.01, decimals: 2 },
        },
      })),
    },
    tariff: {
      kind: 'timetable',
      entries: [
        [0, 'valley'],
        [7, 'flat'],
        [9.5, 'peak'],
        [12, 'flat'],
        [18, 'peak'],
        [22, 'flat'],
        [23, 'valley'],
      ],
    },
  },
  defaults: { frequency: 50.01, relay: true, demand: 48.6 },
  sampleEvents: [{ event: 'overVoltage', output: { phase: 'B', voltage: 253.2 } }],
  logs: ['冻结数据已保存', '通信模块自检通过'],
  conditions: { 0: { kind: 'lively' }, 1: { kind: 'lively' } },
};

export const water: DemoProduct = {
  key: 'water-meter',
  productName: '远传水表',
  description: '超声波计量，带阀门',
  category: 'water',
  nodeType: 1,
  protocolId: 4,
  classId: 4,
  application: 1,
  versions: ['1.0.9', '1.1.0'],
  hardware: 'WM-50',
  idPrefix: 'YLWM24',
  names: numbered(10, (number, index) => `${towerOrGarage(index)}供水水表${number}`),
  curves: {
    totalVolume: { kind: 'meter', start: 4_200, perDay: 31, decimals: 2 },
    flow: { kind: 'working', idle: 0.2, busy: 3.6, noise: 0.4, decimals: 2 },
    pressure: { kind: 'daily', low: 0.28, high: 0.36, peakHour: 3, noise: 0.02, decimals: 2 },
    waterTemperature: { kind: 'daily', low: 15.2, high: 17.6, peakHour: 16, noise: 0.4, decimals: 1 },
  },
  defaults: { valve: 'open' },
  sampleEvents: [{ event: 'leakSuspected', output: { flow: 0.86 } }],
  logs: ['抄表完成', '电池 3.58 V'],
  conditions: { 3: { kind: 'offline', days: 5, reason: 'lost' }, 7: { kind: 'never' } },
};
