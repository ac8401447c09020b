import { expect, it } from 'vitest';
import * as contract from './index.ts';

const english = (texts: Record<string, contract.Text>): string[] => Object.values(texts).map(({ en_US }) => en_US);

// Spec 3.39, 3.40, 3.48, 3.167, 4.8-4.15, 4.25-4.27, 5.52, 9.8-9.14, 9.16, 9.18, 9.22-9.27, 9.29-9.34, 9.36, 9.42
it.each<[string, unknown, unknown]>([
  ['functionType', contract.FunctionType, { property: 1, systemEvent: 21, event: 22, systemService: 31, service: 32 }],
  ['accessMode', contract.accessModes, ['rw', 'r', 'w']],
  ['eventType', contract.eventTypes, ['info', 'call', 'alarm']],
  [
    'message envelope',
    Object.keys(contract.envelope.shape),
    [
      'dataFlow',
      'sessionId',
      'tenantId',
      'version',
      'signMethod',
      'token',
      'dataId',
      'type',
      'deviceId',
      'length',
      'payload',
      'timestamp',
      'signature',
      'code',
      'message',
    ],
  ],
  ['zoneType', contract.ZoneType, { inner: 1, outer: 2 }],
  ['syncStatus', contract.SyncStatus, { notSynchronized: 0, synchronizing: 1, success: 2, failed: 3 }],
  ['online', english(contract.onlineNames), ['Online', 'Offline']],
  ['nodeType', english(contract.nodeTypes), ['Monomer', 'Gateway', 'Gateway child']],
  ['protocolId', english(contract.protocols), ['WIFI', 'LoRaWAN', 'Ethernet', 'Cellular', 'Other']],
  ['serverType', contract.ServerType, { mqtt: 1, http: 2 }],
  ['certificate extensions', contract.certificateExtensions, ['cer', 'crt', 'pem', 'p12']],
  ['certificate size', contract.CERTIFICATE_MAX_BYTES, 5 * 1024 * 1024],
  ['languages', contract.languages, ['zh_CN', 'en_US']],
  ['default language', contract.defaultLanguage, 'zh_CN'],
  ['sortField', contract.SortField, { createTime: 1, updateTime: 2 }],
  ['sortMode', contract.SortMode, { ascending: 1, descending: 2 }],
  ['logLevel', contract.logLevelIds, [2, 3, 4, 5, 6, 7, 8]],
  ['message types', Object.values(contract.MessageType), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['dataFlow', contract.Flow, { request: 0, response: 1 }],
  ['tenant of a mock device', contract.MOCK_TENANT, '3'],
  ['protocol version', contract.PROTOCOL_VERSION, '1.0.1'],
  ['sign method of a mock device', contract.signMethods[0], 'md5'],
  ['first dataId of a mock device', contract.MOCK_FIRST_DATA_ID, 10_000],
  ['children of a mock gateway', contract.MOCK_CHILDREN_MAX, 10],
  ['latest records', contract.LATEST_SHOWN, 1_000],
  ['zone id', contract.ZONE_ID_MAX, 2_147_483_647],
  ['description', contract.DESCRIPTION_MAX_BYTES, 100],
  ['months of a chart', contract.MONTHS_SHOWN, 12],
])('has the value of the specification: %s', (_name, actual, expected) => {
  expect(actual).toEqual(expected);
});

// Spec 4.28-4.42, 4.45-4.49
it.each<[string, unknown, unknown]>([
  [
    'task statuses',
    english(contract.taskStatusTexts),
    [
      'not started',
      'waiting',
      'upgrading',
      'paused',
      'cancelled',
      'updated successfully',
      'failed',
      'finished',
      'wait for next execution',
    ],
  ],
  [
    'task actions',
    english(contract.taskActionTexts),
    ['start', 'suspend', 'cancel', 'restart', 'retry failed', 'delete'],
  ],
  ['reasons of failed upgrades', Object.values(contract.FailReason), [0, 1, 2, 3, 4, 5]],
])('has the value of the specification: %s', (_name, actual, expected) => {
  expect(actual).toEqual(expected);
});
