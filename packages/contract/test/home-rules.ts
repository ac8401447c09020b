import { homeCalls } from '../src/http/home.ts';
import { at, emptyOr, type Rule, refuse } from './rule-fixtures.ts';

const charts = ['getDayDeviceAccessCount', 'getDayDeviceMessageCount'];
const figures = [
  ...charts,
  'getSystemDeviceCurrentCount',
  'getMonthDeviceAccessCount',
  'getMonthDeviceMessageCount',
  'getDeviceDistribution',
  'getAttentionList',
];

/** Field rules of the home page's calls. */
export const homeRules: Rule[] = [
  {
    rule: 'days of a chart',
    schema: homeCalls.getDayDeviceMessageCount.input.shape.scopeSign,
    places: charts.map((call) => at(`home.${call}`, 'scopeSign')),
    accepted: ['7', '30'],
    refused: emptyOr('NOT_AN_OPTION', '0', '8', '12', '-7', '7.5', 'week'),
  },
  {
    rule: 'time zone',
    schema: homeCalls.getDayDeviceMessageCount.input.shape.timezone,
    places: [...figures.map((call) => at(`home.${call}`, 'timezone')), at('record.streamDevices', 'timezone')],
    accepted: ['', 'UTC', 'Asia/Shanghai', 'asia/shanghai', 'America/Argentina/Buenos_Aires', '+05:30'],
    refused: refuse('TIME_ZONE', 'Mars/Olympus', 'Asia', '8', '+8', 'UTC+8', "'; --", '上海', 'a\u0000', ' UTC'),
  },
];
