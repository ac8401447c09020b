import { is, loop, row, rule } from './rows.mjs';

const inContract =
  (name) =>
  ({ contract }) =>
    contract[name];
const english = (texts) => Object.fromEntries(Object.entries(texts).map(([id, { en_US }]) => [id, en_US]));

const general = [
  row(
    'HTTP timeout 120000 ms',
    'console/api/send › waits 120 s for an answer, then says the code and that the device does not respond',
  ),
  row(
    'Error toast 2000 ms',
    loop('console/app/toast › stays for 2000 ms %s', "'before the log-in'", "'after the log-in'"),
    'console/app/toast › goes while the wait for the next code is counted down',
  ),
  row(
    'Reload 200 ms after a change of the language',
    'console/app/reload › reloads 200 ms after another language is chosen',
    'e2e/language › Chinese by default; choosing English reloads, is stored, and outlives a cleared storage',
  ),
  row(
    'Reload 200 ms after log-out',
    'console/app/reload › reloads 200 ms after a log-out, at the root',
    'e2e/onboarding › from the first start to a colleague who sees two menus, in {language}',
  ),
  row(
    'Paging by pageIndex and pageSize',
    'server/lists › shows ten, the newest first, unless told otherwise',
    'server/lists › is empty behind its end, with the total still there',
    rule('pageIndex', { refuses: ['0'] }),
    rule('pageSize', { refuses: ['0', '201'] }),
  ),
  row('Mobile breakpoint 992 px', 'e2e/layout › the sidebar is 13.125rem wide, and a drawer below 992 px'),
  row(
    'Sidebar width 13.125rem, and never narrower than its words',
    'e2e/layout › the sidebar is 13.125rem wide, and a drawer below 992 px',
  ),
  row(
    'Languages zh_CN (default) and en_US',
    is(['zh_CN', 'en_US'], ({ contract }) => [...contract.languages]),
    is('zh_CN', inContract('defaultLanguage')),
    'contract/errors › Accept-Language %j is read as %s',
    'e2e/language › Chinese by default; choosing English reloads, is stored, and outlives a cleared storage',
  ),
];

const sorted = 'server/lists › sorted by %i in direction %i has every row once over its pages, of whatever size';
const sortedByHeader = 'console/app/list-sort › %s turns between descending and ascending with each click';
const choices = [
  row(
    'sortField 1 createTime, 2 updateTime',
    is({ createTime: 1, updateTime: 2 }, inContract('SortField')),
    sorted,
    sortedByHeader,
    rule('sortField', { takes: ['1', '2'], refuses: ['0', '3'] }),
  ),
  row(
    'sortMode 1 ascending, 2 descending',
    is({ ascending: 1, descending: 2 }, inContract('SortMode')),
    sorted,
    sortedByHeader,
    rule('sortMode', { takes: ['1', '2'], refuses: ['0', '3'] }),
  ),
  row(
    'Node types 1 monomer, 2 gateway, 3 gateway child',
    is({ 1: 'Monomer', 2: 'Gateway', 3: 'Gateway child' }, ({ contract }) => english(contract.nodeTypes)),
    rule('nodeType', { takes: ['1', '2', '3'], refuses: ['0', '4'] }),
  ),
  row(
    'Online 1 online, 2 offline',
    is({ 1: 'Online', 2: 'Offline' }, ({ contract }) => english(contract.onlineNames)),
    'server/product-list › is filtered by each field, and says what each device is',
  ),
  row(
    'Protocols 1 WIFI, 2 LoRaWAN, 3 Ethernet, 4 Honeycomb (which the console calls cellular), 5 Other',
    is({ 1: 'WIFI', 2: 'LoRaWAN', 3: 'Ethernet', 4: 'Cellular', 5: 'Other' }, ({ contract }) =>
      english(contract.protocols),
    ),
    rule('protocolId', { takes: ['1', '2', '3', '4', '5'], refuses: ['0', '6'] }),
    'server/products › is made with a key of letters and digits and tells all about itself in both languages',
  ),
  row(
    'Server types 1 MQTT, 2 HTTP',
    is({ mqtt: 1, http: 2 }, inContract('ServerType')),
    rule('service of a node', { takes: ['1', '2'], refuses: ['0', '3'] }),
    'server/sync-inner › keeps models and devices as retained messages',
    'server/sync-inner › that is another hub gets them by its key',
  ),
  row(
    'Zone status 0 and 1',
    rule('state of a new zone', { takes: ['0', '1'], refuses: ['2'] }),
    'console/features/zone/list/zone-list › asks the hub for the kind and the status that were chosen',
  ),
  row(
    'Zone node 1 inner, 2 outer',
    is({ inner: 1, outer: 2 }, inContract('ZoneType')),
    rule('type of a zone', { takes: ['1'], refuses: ['0', '3'] }),
    'console/features/zone/form/zone-form › checks an outer node by its own rules and stores its key',
  ),
  row(
    'Sync yes 1, no 0',
    rule('flag of a zone', { takes: ['0', '1'], refuses: ['2'] }),
    'server/sync-send › are sent by themselves where the zone says so',
    'server/sync-send › have a record for each zone, not synchronized until somebody asks',
  ),
  row(
    'Log levels 2 TRACE, 3 DEBUG, 4 INFO, 5 WARN, 6 ERROR, 7 FATAL, 8 OFF',
    is(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'OFF'], ({ contract, words }) =>
      contract.logLevelIds.map((id) => words.en_US.deviceDetail[`level_${id}`]),
    ),
    is([2, 3, 4, 5, 6, 7, 8], ({ contract }) => [...contract.logLevelIds]),
    rule('log level', { takes: ['2', '8'], refuses: ['1', '9'] }),
    'server/connectivity-messages › are kept from the device’s own level up, 100 lines of 4 KB at once',
  ),
  row(
    'HA areas 1 and 2',
    loop(
      'console/features/device/detail/device-detail › lets application and area be changed while offline, the log not, and says so',
      'HA area 2',
    ),
    'server/zones › renames a built-in zone, which keeps both its names while nobody does',
  ),
  row(
    'Device-log filter, function type: 0 all, 1 config, 2 event, 3 service',
    'server/records › are filtered by kind, direction, name, number, type and time',
  ),
  row(
    'Device-log filter, data flow: 0 all, 1 up, 2 down',
    'server/records › are filtered by kind, direction, name, number, type and time',
  ),
];

const kinds = 'console/features/mock/panel/message-buffer › by function type, as the spec numbers them';
const types = 'server/protocol-page › shows every kind of message, each as its schema has it';
const mocks = [
  row(
    'Mock function types: 0 all, 1 properties, 22 event, 32 service, 21 system event, 31 system service',
    is({ property: 1, systemEvent: 21, event: 22, systemService: 31, service: 32 }, inContract('FunctionType')),
    kinds,
  ),
  row(
    'Mock message types 1-10: login, config, event, service, identity, log report, transparent, login (of a child), token refresh, sync',
    is(
      {
        login: 1,
        config: 2,
        event: 3,
        service: 4,
        identity: 5,
        log: 6,
        transparent: 7,
        childLogin: 8,
        refresh: 9,
        sync: 10,
      },
      inContract('MessageType'),
    ),
    types,
    'server/connectivity-messages › 2 and 3: are stored when acknowledged, and nothing is answered',
    loop('server/connectivity-refusals › with %i for %s; nothing of it is data', '40004'),
  ),
  row(
    'Mock data flow: 0 request, 1 response',
    is({ request: 0, response: 1 }, inContract('Flow')),
    'console/features/mock/panel/message-buffer › by direction, request or response, and device',
  ),
  row(
    'Mock protocol: tenant 3',
    is('3', inContract('MOCK_TENANT')),
    'server/mock-body › are tenant 3, version 1.0.1, md5, a counter from 10000, and a WebSocket',
    'server/connectivity-gateway › may send the spec’s constant for its tenant',
  ),
  row(
    'Mock protocol: version 1.0.1',
    is('1.0.1', inContract('PROTOCOL_VERSION')),
    'server/mock-body › are tenant 3, version 1.0.1, md5, a counter from 10000, and a WebSocket',
  ),
  row(
    'Mock protocol: md5 signature',
    is('md5', ({ contract }) => contract.signMethods[0]),
    'server/mock-body › are tenant 3, version 1.0.1, md5, a counter from 10000, and a WebSocket',
    'contract/mqtt/signature › of a message with %s',
  ),
  row(
    'Mock protocol: message types 1-4',
    loop(
      'console/features/mock/panel/message-entry › %s',
      "'a log-in', 1",
      "'one property', 2",
      "'an event', 3",
      "'a service', 4",
    ),
    'server/mock-body › are answered by itself: services with their defaults, properties as they were set',
  ),
  row(
    'Mock protocol: a message counter from 10000',
    is(10_000, inContract('MOCK_FIRST_DATA_ID')),
    'server/mock-body › are tenant 3, version 1.0.1, md5, a counter from 10000, and a WebSocket',
    'console/features/mock/panel/mock-panel › connects nothing until it is told to, and says what a step would need',
  ),
];

const limits = [
  row(
    'The latest 1000 device logs',
    is(1_000, inContract('LATEST_SHOWN')),
    'server/records › are the latest thousand, from a level up, by word and time',
  ),
  row(
    'The latest 1000 online and offline records',
    is(1_000, inContract('LATEST_SHOWN')),
    'server/records › of a device are the latest thousand',
  ),
  row(
    'At most 10 mounted child devices',
    is(10, inContract('MOCK_CHILDREN_MAX')),
    'server/connectivity-gateway › is the eleventh of a mock, also when they come all at once',
    'e2e/first-steps › a mock gateway brings ten children, and no eleventh',
  ),
  row(
    'Certificate at most 5 MB',
    is(5 * 1024 * 1024, inContract('CERTIFICATE_MAX_BYTES')),
    'server/zone-certificates › has at most 5 MB',
  ),
  row(
    'Zone id at most 2147483647',
    is(2_147_483_647, inContract('ZONE_ID_MAX')),
    rule('id of a zone', { takes: ['2147483647'], refuses: ['2147483648'] }),
  ),
  row('Address at most 60 characters', rule('address', { takes: ['a'.repeat(60)], refuses: ['a'.repeat(61)] })),
  row(
    'Description at most 100',
    is(100, inContract('DESCRIPTION_MAX_BYTES')),
    rule('description', { takes: ['a'.repeat(100)], refuses: ['a'.repeat(101)] }),
  ),
  row('Password 8-20', rule('password', { takes: ['abcdefg1'], refuses: ['abcdef1'] })),
  row('Phone 11 digits', rule('phone', { takes: ['13800138000'], refuses: ['1380013800', '138001380001'] })),
  row('Code 6 digits', rule('code', { takes: ['999999'], refuses: ['12345', '1234567'] })),
  row(
    'Dashboard: 7 days',
    rule('days of a chart', { takes: ['7'] }),
    'server/home › are of seven days in UTC unless told otherwise',
  ),
  row(
    'Dashboard: 30 days',
    rule('days of a chart', { takes: ['30'] }),
    'server/home › add up quarters to days and months of any zone, whichever hubs counted them',
  ),
  row(
    'Dashboard: 12 months',
    is(12, inContract('MONTHS_SHOWN')),
    'server/home-zones › at the end of a long month are still twelve',
    'console/features/home/home › keeps what the chart shows in the address, and says which days they are',
  ),
];

export const constants = {
  number: 9,
  title: 'Constants and limits',
  rows: [...general, ...choices, ...mocks, ...limits],
};
