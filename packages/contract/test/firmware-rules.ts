import * as fields from '../src/fields.ts';
import { firmwareCalls } from '../src/http/firmware.ts';
import { at, type Place, type Rule, refuse } from './rule-fixtures.ts';

const { addDeviceOtaVersion, deleteDeviceOtaFile, deleteDeviceOtaVersion } = firmwareCalls;
const { shape } = addDeviceOtaVersion.input;

/** Responses to an accepted value: the product or version does not exist. */
const places = (field: string): Place[] => [
  at('firmware.addDeviceOtaVersion', field, 'PRODUCT_NOT_FOUND'),
  at('firmware.updateDeviceOtaVersion', field, 'VERSION_NOT_FOUND'),
];

/** Field rules of firmware versions and files. */
export const firmwareRules: Rule[] = [
  {
    rule: 'name of a version',
    schema: fields.name(),
    places: places('versionName'),
    accepted: ['版本', 'Release-1_(a)@b', 'x'.repeat(50)],
    refused: [...refuse('REQUIRED', ''), ...refuse('NAME', 'a b', 'x'.repeat(51), 'a/b', '々')],
  },
  {
    rule: 'number of a version',
    schema: shape.versionNumber,
    places: places('versionNumber'),
    accepted: ['1', '1.0.0', '1.10.0-rc.1', 'v2_3+b4', 'x'.repeat(32)],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('VERSION_NUMBER', '1..0', '-1', '1.', 'a b', '版本', 'x'.repeat(33)),
    ],
  },
  {
    rule: 'uploaded file',
    schema: shape.firmwareUri,
    places: [...places('firmwareUri'), at('firmware.getFirmwareFile', 'firmwareUri', 'FIRMWARE_NOT_FOUND')],
    accepted: ['fw/nobody', `fw/${'x'.repeat(64)}`],
    refused: refuse(
      'FIRMWARE_MISSING',
      '',
      'nobody',
      'fw/',
      'fw/a/b',
      'fw/..',
      'http://example.com/a.bin',
      `fw/${'x'.repeat(65)}`,
    ),
  },
  {
    rule: 'file to be deleted',
    schema: deleteDeviceOtaFile.input.shape.name,
    places: [at('firmware.deleteDeviceOtaFile', 'name', 'FIRMWARE_NOT_FOUND')],
    accepted: ['fw/nobody'],
    refused: refuse('FIRMWARE_MISSING', '', 'nobody', '../a'),
  },
  {
    rule: 'versions chosen',
    schema: deleteDeviceOtaVersion.input.shape.versionIds,
    places: [at('firmware.deleteDeviceOtaVersion', 'versionIds', 'VERSION_NOT_FOUND')],
    accepted: ['nobody', 'a,b', '["a"]'],
    refused: [
      ...refuse('NO_VERSION', '', '[]'),
      ...refuse('TOO_MANY_VERSIONS', Array.from({ length: 101 }, (_, place) => `v${place}`).join()),
    ],
  },
  {
    rule: "a file's own name",
    schema: shape.nickName,
    places: places('nickName'),
    accepted: ['a.bin', '固件 (1).zip', 'a.b.APK', '.hex', `${'x'.repeat(96)}.img`],
    refused: [
      ...refuse('REQUIRED', ''),
      { value: `${'x'.repeat(97)}.img`, says: 'TOO_LONG', limit: { maximum: 100 } },
      ...refuse('INVALID', 'a/b.bin', 'a\\b.bin', 'a\u0000.bin', 'a\n.bin', 'a/b'),
      ...refuse('FIRMWARE_TYPE', 'bin', 'a.', 'a.txt', 'a.bin.txt'),
    ],
  },
];
