import { call } from './rows.mjs';

const zone = [
  call(
    'GET /dc/zone/list/page',
    'pageIndex pageSize zoneName status zoneType sortField sortMode',
    'server/zones › is whole for those who manage zones, and names for others',
    { test: 'console/features/zone/list/zone-list › asks the hub for the kind and the status that were chosen' },
  ),
  call('DELETE /dc/zone/remove', 'id', 'server/zones › has an id that nobody gets again'),
  call(
    'POST /dc/zone/add',
    'zoneName zoneType routeKey address isSyncModel',
    'server/zones › is taken as JSON and as a form with parts alike',
    'server/zones › is added with its nodes, and never tells their secrets',
  ),
  call('GET /dc/zone/detail', 'id', 'server/zones › has an id that nobody gets again'),
  call(
    'POST /dc/zone/state/set',
    'id status',
    'server/zone-devices › is sent to the broker of its zone, and to the hub where there is none',
  ),
  call(
    'POST /dc/zone/modify',
    'id zoneName zoneType routeKey address isSyncModel',
    'server/zones › keeps the secrets of nodes that stay, whatever their order, and forgets what is told to be forgotten',
  ),
];

const sync = [
  call(
    'GET /sync/record/querySyncRecordList',
    'pageIndex pageSize deviceId productId syncStatus sortField sortMode dataType zoneId',
    'server/sync-send › have a record for each zone, not synchronized until somebody asks',
    'console/features/sync/zone/sync-zone › asks for the status that was chosen at the bar',
  ),
  call(
    'POST /sync/record/request',
    'syncIds zoneId',
    'server/sync-send › go back to not synchronized at once when they change, and tell how they differ',
  ),
  call(
    'POST /sync/record/oneKey',
    'zoneId dataType',
    'server/sync-send › arrive whole in the tenant and application of the key',
  ),
  call(
    'GET /sync/record/querySyncRecordCount',
    'pageIndex pageSize zoneName status sortField sortMode',
    'server/sync-send › have a record for each zone, not synchronized until somebody asks',
    'console/features/sync/list/count-list › asks the hub for the status that was chosen',
  ),
];

const mock = [
  call(
    'GET /device/mock/queryMockDeviceList',
    '',
    'server/mock › has gateways and monomers with their marks, neither children nor real devices, the newest first',
  ),
  call(
    'GET /device/mock/getDeviceDetails',
    'deviceId',
    'server/mock-details › are all that somebody needs to be it: secret, method, constants, functions, defaults, children',
  ),
  call(
    'POST /device/mock/create',
    'deviceName productId',
    'server/mock › is made of a monomer by a role that has nothing but this menu, and is a device like any other',
  ),
  call(
    'DELETE /device/mock/delete',
    'deviceId',
    'server/mock-details › that is a gateway takes its children and the records of all of them, and cuts it',
  ),
  call(
    'GET /device/mock/function/default/list',
    '',
    'server/mock-defaults › are what the model suggests until they are saved, each with its function',
  ),
  call(
    'POST /device/mock/function/default/save',
    '',
    'server/mock-defaults › are kept as they were saved, by form and by JSON; those that were not named stay',
  ),
];

const bucket = [
  call('POST /api/bucket/login', '', {
    test: 'server/connectivity-login › with %s: the vector, and the same way at the door',
  }),
  call(
    'GET /api/bucket/getConnectBucket',
    '',
    'server/zone-devices › is sent to the broker of its zone, and to the hub where there is none',
  ),
];

export const zoneCalls = [...zone, ...sync, ...mock, ...bucket];
