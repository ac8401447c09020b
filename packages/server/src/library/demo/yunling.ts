import { boolean, event, integer, param, property } from '../texts.ts';
import { type Company, type DemoProduct, numbered, type OwnCategory } from './company.ts';
import { electricity, tower, towerOrGarage, water, waterCategory } from './yunling-meters.ts';
import { airConditionerRuns, environmentRuns, lampRuns, releases, upgrades } from './yunling-upgrades.ts';

/** A building operator in Kunming: three towers, common parts and meters. */

const categories: OwnCategory[] = [
  {
    key: 'door',
    categoryName: '门磁传感器',
    description: '感知门窗开合的无线传感器',
    functions: [
      property('doorOpen', '门状态', 'r', boolean('打开', '关闭')),
      property('openCount', '累计开门次数', 'r', integer(0, 10_000_000, '次')),
      property('battery', '电池电量', 'r', integer(0, 100, '%')),
      property('alarmDelay', '未关报警延时', 'rw', integer(10, 3600, 's')),
      event('leftOpen', '门未关', 'alarm', [param('minutes', '已打开时长', integer(1, 1440, 'min'))]),
      event('batteryLow', '电量不足', 'call', [param('battery', '电池电量', integer(0, 100, '%'))]),
    ],
  },
  waterCategory,
];

const gateways: DemoProduct = {
  key: 'floor-gateway',
  productName: '楼层网关',
  description: '每两层一台，接入传感器与门磁',
  category: 'std-gateway',
  nodeType: 2,
  protocolId: 3,
  classId: 2,
  application: 0,
  versions: ['2.3.1', '2.4.0'],
  hardware: 'GW-200-R3',
  idPrefix: 'YLGW24',
  names: numbered(8, (number, index) => `${tower(index)}楼层网关${number}`),
  curves: {
    cpuUsage: { kind: 'working', idle: 9, busy: 34, noise: 5, decimals: 0 },
    memoryFree: { kind: 'daily', low: 182_000, high: 214_000, peakHour: 4, noise: 6_000, decimals: 0 },
    signal: { kind: 'daily', low: -74, high: -66, peakHour: 3, noise: 4, decimals: 0 },
    childCount: { kind: 'timetable', entries: [[0, 7]] },
  },
  defaults: { pairing: false, uptime: '864000', uplink: 'ethernet' },
  sampleEvents: [{ event: 'childJoined', output: { child: 'YLEN240117', kind: '环境传感器' } }],
  logs: ['子设备轮询完成', '上行链路正常，时延 18 ms', '时钟已与平台同步'],
};

const environment: DemoProduct = {
  key: 'environment-sensor',
  productName: '室内环境传感器',
  description: '温湿度与二氧化碳，电池供电',
  category: 'std-environment-sensor',
  nodeType: 3,
  protocolId: 2,
  classId: 2,
  application: 0,
  versions: ['1.8.2', '1.9.0'],
  runs: environmentRuns,
  hardware: 'ENV-5',
  idPrefix: 'YLEN24',
  names: numbered(40, (number, index) => `${tower(index)}${Math.floor(index / 3) + 2}层环境${number}`),
  behind: 'floor-gateway',
  curves: {
    temperature: { kind: 'daily', low: 20.6, high: 25.4, peakHour: 15, noise: 0.9, decimals: 1 },
    humidity: { kind: 'daily', low: 42, high: 58, peakHour: 6, noise: 3, decimals: 1 },
    co2: { kind: 'working', idle: 430, busy: 860, noise: 70, decimals: 0 },
    battery: { kind: 'battery', lastsDays: 400 },
  },
  defaults: {
    pressure: 812.4,
    pm25: 18,
    illuminance: 320,
    reportInterval: 60,
    thresholds: { temperatureHigh: 28, temperatureLow: 16, co2High: 1000 },
  },
  sampleEvents: [
    { event: 'outOfRange', output: { quantity: 'co2', measured: 1080 } },
    { event: 'batteryLow', output: { battery: 14 } },
  ],
  logs: ['采样完成', '二氧化碳自校准完成', '信号 -71 dBm'],
  conditions: {
    2: { kind: 'lively' },
    17: { kind: 'offline', days: 3, reason: 'byDevice' },
    33: { kind: 'offline', days: 9, reason: 'byDevice' },
  },
};

const doors: DemoProduct = {
  key: 'door-sensor',
  productName: '门磁传感器',
  description: '消防门与机房门的开合',
  category: 'door',
  nodeType: 3,
  protocolId: 2,
  classId: 2,
  application: 0,
  versions: ['1.2.0'],
  hardware: 'DS-1',
  idPrefix: 'YLDS24',
  names: numbered(16, (number, index) => `${towerOrGarage(index)}${index % 2 === 0 ? '消防门' : '机房门'}${number}`),
  behind: 'floor-gateway',
  curves: {
    doorOpen: { kind: 'occasional', share: 0.06 },
    openCount: { kind: 'meter', start: 900, perDay: 22, decimals: 0 },
    battery: { kind: 'battery', lastsDays: 620 },
  },
  defaults: { alarmDelay: 120 },
  sampleEvents: [{ event: 'leftOpen', output: { minutes: 6 } }],
  logs: ['状态上报', '防拆开关正常'],
  conditions: { 4: { kind: 'offline', days: 1.5, reason: 'byDevice' } },
};

const lampPlace = (index: number): string => {
  if (towerOrGarage(index) !== tower(index)) return `${towerOrGarage(index)}车道`;
  return `${tower(index)}${index % 2 === 0 ? '大堂' : '走廊'}`;
};

const lamps: DemoProduct = {
  key: 'lamp',
  productName: '公共照明灯',
  description: '走廊与大堂，可调光',
  category: 'std-lighting',
  nodeType: 1,
  protocolId: 1,
  classId: 2,
  application: 0,
  versions: ['3.0.4', '3.1.0', '3.1.2'],
  runs: lampRuns,
  hardware: 'LT-40W',
  idPrefix: 'YLLT25',
  names: numbered(24, (number, index) => `${lampPlace(index)}灯${number}`),
  curves: {
    power: {
      kind: 'timetable',
      entries: [
        [0, false],
        [6.5, true],
        [23, false],
      ],
    },
    brightness: {
      kind: 'timetable',
      entries: [
        [0, 30],
        [6.5, 60],
        [9, 45],
        [17.5, 85],
        [22, 40],
      ],
    },
    activePower: {
      kind: 'timetable',
      entries: [
        [0, 0.4],
        [6.5, 24.2],
        [9, 18.4],
        [17.5, 34.6],
        [22, 16.8],
        [23, 0.4],
      ],
      noise: 0.06,
    },
  },
  defaults: { colorTemperature: 4000, color: { red: 255, green: 244, blue: 229 }, scene: 'work' },
  sampleEvents: [{ event: 'lampFault', output: { reason: 'heat' } }],
  logs: ['调光曲线已加载', '驱动温度 46 °C', '定时任务已执行'],
  conditions: { 6: { kind: 'flapping' }, 22: { kind: 'never' }, 23: { kind: 'never' } },
};

const airConditioners: DemoProduct = {
  key: 'air-conditioner',
  productName: '空调室内机',
  description: '办公区中央空调末端',
  category: 'std-air-conditioner',
  nodeType: 1,
  protocolId: 1,
  classId: 2,
  application: 0,
  versions: ['5.2.0', '5.3.1'],
  runs: airConditionerRuns,
  hardware: 'AC-FCU-2',
  idPrefix: 'YLAC25',
  names: numbered(16, (number, index) => `${tower(index)}${Math.floor(index / 3) + 3}层空调${number}`),
  curves: {
    power: {
      kind: 'timetable',
      entries: [
        [0, false],
        [7.5, true],
        [19.5, false],
      ],
    },
    indoorTemperature: { kind: 'daily', low: 22.2, high: 25.8, peakHour: 16, noise: 0.8, decimals: 1 },
    filterLife: { kind: 'battery', lastsDays: 180 },
  },
  defaults: { mode: 'cool', targetTemperature: 24, fanSpeed: 'auto', swing: true },
  sampleEvents: [{ event: 'fault', output: { faultCode: 'E07', text: '冷凝水排放不畅' } }],
  logs: ['压缩机启动', '除霜结束', '滤网提示已更新'],
  conditions: { 5: { kind: 'slow' }, 11: { kind: 'kicked' } },
};

export const yunling: Company = {
  tenancyId: 'demo-yunling',
  language: 'zh_CN',
  offsetHours: 8,
  timezone: 'Asia/Shanghai',
  tenancyName: '云岭智慧楼宇',
  companyName: '云岭智慧楼宇运营中心',
  contactName: '运维值班',
  phone: '10000000001',
  email: 'duty@yunling.example.com',
  companyAddress: '昆明市示范路 88 号 A座 6 层',
  applications: ['楼宇运维', '能耗管理'],
  roleName: '运维值班',
  user: { username: 'yunling-ops', name: '运维值班', email: 'ops@yunling.example.com' },
  categories,
  products: [gateways, environment, doors, lamps, electricity, water, airConditioners],
  releases,
  upgrades,
};
