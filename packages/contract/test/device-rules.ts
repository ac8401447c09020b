import * as fields from '../src/fields.ts';
import { controlCalls } from '../src/http/control.ts';
import { deviceCalls } from '../src/http/device.ts';
import { logLevelIds } from '../src/mqtt/payloads.ts';
import { at, emptyOr, type Rule, refuse } from './rule-fixtures.ts';

const NOBODY = 'DEVICE_NOT_FOUND';
const control = (call: string, field: string) => at(`control.${call}`, field, NOBODY);

const notAName = ['a b', 'a.b', 'a/b', 'n'.repeat(51), '中'.repeat(51), 'a!', 'é', '名\n', '😀'];
const tooMany = Array.from({ length: 101 }, (_, index) => `d${index}`).join(',');

/** Field rules of devices and device control. Response to an accepted value: the device does not exist. */
export const deviceRules: Rule[] = [
  {
    rule: 'device name',
    schema: fields.name(),
    places: [
      at('device.updateDevice', 'deviceName', NOBODY),
      at('mock.createMockDevice', 'deviceName', 'PRODUCT_NOT_FOUND'),
    ],
    accepted: ['x', '名', '设备_1@-(b)', 'n'.repeat(50), '中'.repeat(50)],
    refused: [...refuse('REQUIRED', ''), ...refuse('NAME', ...notAName)],
  },
  {
    rule: 'device name, or none',
    schema: fields.blankable(fields.name()),
    places: [at('device.addDevice', 'deviceName', 'PRODUCT_NOT_FOUND')],
    accepted: ['', 'x', '设备_1@-(b)'],
    refused: refuse('NAME', ...notAName),
  },
  {
    rule: 'device id',
    schema: fields.deviceId(),
    places: [at('device.addDevice', 'deviceId', 'PRODUCT_NOT_FOUND')],
    accepted: ['x', 'A-1_b.c:9', 'd'.repeat(64), 'constructor', '__proto__'],
    refused: [...refuse('REQUIRED', ''), ...refuse('DEVICE_ID', 'a b', 'a/b', '#', '+', '设备', 'd'.repeat(65), 'a\n')],
  },
  {
    rule: 'mac',
    schema: fields.blankable(fields.mac()),
    places: [at('device.addDevice', 'mac', 'PRODUCT_NOT_FOUND'), at('device.updateDevice', 'mac', NOBODY)],
    accepted: ['', '00:11:22:aa:BB:cc', '00-11', '0011.2233'],
    refused: refuse('MAC', 'a b', 'a/b', 'x'.repeat(65), '中', '<b>'),
  },
  {
    rule: 'devices chosen',
    schema: fields.chosenIds('NO_DEVICE', 'TOO_MANY_DEVICES'),
    places: [at('device.deleteDevices', 'deviceIds', NOBODY), control('markBlack', 'idList')],
    accepted: ['nobody', 'nobody,noone', '["nobody"]'],
    refused: [...refuse('NO_DEVICE', '', '[]'), ...refuse('TOO_MANY_DEVICES', tooMany)],
  },
  {
    rule: 'devices to register',
    schema: deviceCalls.registerDevices.input.shape.devices,
    places: [at('device.registerDevices', 'devices', 'PRODUCT_NOT_FOUND')],
    accepted: ['[{"deviceId":"a"}]'],
    refused: refuse('TOO_FEW', '', '[]'),
  },
  {
    rule: 'restart',
    schema: controlCalls.reboot.input.shape.type,
    places: [control('reboot', 'type')],
    accepted: ['1', '2'],
    refused: emptyOr('NOT_AN_OPTION', '0', '3', 'x'),
  },
  {
    rule: 'yes or no of an operator',
    schema: fields.flag(),
    places: [
      control('markBlack', 'op'),
      control('kickOut', 'op'),
      control('commandDeviceFunction', 'read'),
      control('configLogSwitch', 'logSwitch'),
      control('updateDeviceConfiguration', 'realTimePushSwitch'),
    ],
    accepted: ['0', '1', ' 1 '],
    refused: emptyOr('NOT_AN_OPTION', '2', 'true'),
  },
  {
    rule: 'log level',
    schema: fields.formOption(logLevelIds),
    places: [control('configLogLevel', 'logLevel'), control('updateDeviceConfiguration', 'loggerLevel')],
    accepted: logLevelIds.map(String),
    refused: emptyOr('NOT_AN_OPTION', '1', '9', 'INFO'),
  },
  {
    rule: 'days of a kick',
    schema: controlCalls.kickOut.input.shape.until,
    places: [control('kickOut', 'until')],
    accepted: ['', '0', '1', '3650'],
    refused: [
      ...refuse('NOT_A_NUMBER', 'x', '1.5'),
      { value: '-1', says: 'TOO_SMALL', limit: { minimum: 0 } },
      { value: '3651', says: 'TOO_BIG', limit: { maximum: 3650 } },
    ],
  },
  {
    rule: 'reason of an operator',
    schema: controlCalls.markBlack.input.shape.reason,
    places: [control('markBlack', 'reason'), control('kickOut', 'reason')],
    accepted: ['', 'stolen', '<b>', 'x'.repeat(100)],
    refused: [{ value: 'x'.repeat(101), says: 'TOO_LONG', limit: { maximum: 100 } }, ...refuse('INVALID', 'a\u0000')],
  },
  {
    rule: 'how long to wait for an answer',
    schema: controlCalls.commandDeviceFunction.input.shape.timeout,
    places: [control('commandDeviceFunction', 'timeout')],
    accepted: ['1000', '60000'],
    refused: [
      ...emptyOr('NOT_A_NUMBER', 'x'),
      { value: '999', says: 'TOO_SMALL', limit: { minimum: 1_000 } },
      { value: '60001', says: 'TOO_BIG', limit: { maximum: 60_000 } },
    ],
  },
];
