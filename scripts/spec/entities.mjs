import { is, loop, row } from './rows.mjs';

const ANSWERED = 'server/entities › answers every field of a %s, each of its type';

/** Fields of an entity, by what the hub calls the entity: `name:kind`. */
const entity = (title, name, fields) =>
  fields.split(' ').map((field) => {
    const [id, kind] = field.split(':');
    const holds = ({ entities }) =>
      entities[name]?.[id] === kind ? undefined : `the hub's ${name} has no ${id} that is a ${kind}`;
    return row(`${title}: ${id}, ${kind}`, holds, { test: ANSWERED, about: name });
  });

const taken = (...has) => loop('contract/model/data-type › is taken: %j', ...has);
const oneByOne = 'server/models › come one by one as %s, at the end, each as a version';

const functionDefinitions = [
  row(
    'Function definition: property or config, service, event',
    is(
      { property: 1, systemEvent: 21, event: 22, systemService: 31, service: 32 },
      ({ contract }) => contract.FunctionType,
    ),
    oneByOne,
  ),
  row(
    'Function definition: read-write, read-only, write-only',
    is(['rw', 'r', 'w'], ({ contract }) => [...contract.accessModes]),
    oneByOne,
  ),
  row(
    'Function definition: integer, long and double with min, max, step and unit',
    taken("type: 'integer'", "type: 'long'", "type: 'double'"),
  ),
  row('Function definition: enum of values with descriptions', taken("type: 'enum'")),
  row('Function definition: boolean', taken("type: 'boolean'")),
  row('Function definition: string with a length', taken("type: 'string'")),
  row('Function definition: JSON object', taken("type: 'json'")),
  row('Function definition: array of an element type, with a count', taken("type: 'array'")),
  row('Function definition: a service has input and output parameters', oneByOne),
  row(
    'Function definition: an event is an information, a call or an alarm',
    is(['info', 'call', 'alarm'], ({ contract }) => [...contract.eventTypes]),
    oneByOne,
  ),
];

const ENVELOPE =
  'dataFlow sessionId tenantId version signMethod token dataId type deviceId length payload timestamp signature code message';

const storage = 'console/api/session › keeps a session in local storage under exactly the names of the specification';

export const entities = {
  number: 3,
  title: 'Entities and their fields',
  intro: ['Each field is in what the hub answers over HTTP, under the name and of the type that is written here.'],
  rows: [
    ...entity(
      'Tenant',
      'tenant',
      'tenancyId:text tenancyName:text companyName:text contactName:text phone:text email:text companyAddress:text enabled:number',
    ),
    ...entity(
      'Application',
      'application',
      'applicationId:text applicationName:text tenancyId:text enabled:number creator:text updateTime:text',
    ),
    ...entity('Role', 'role', 'roleId:text roleName:text menus:list tenancyId:text createTime:text'),
    ...entity(
      'User',
      'user',
      'userId:text username:text name:text email:text phone:text roleId:text tenancyId:text lastLoginTime:text',
    ),
    ...entity('Category', 'category', 'categoryId:text categoryName:text description:text'),
    ...entity(
      'Open function',
      'open function',
      'id:text categoryId:text categoryName:text functionName:text signCode:text functionType:number description:text functionDefinition:object',
    ),
    ...functionDefinitions,
    ...entity(
      'Product',
      'product',
      'productId:text productName:text description:text icon:text nodeType:number protocolId:number categoryId:text classId:number categoryName:text nodeTypeName:text protocolName:text categoryStandard:number deviceCount:number',
    ),
    ...entity(
      'Product function',
      'product function',
      'id:text productId:text functionName:text signCode:text functionType:number description:text functionDefinition:object',
    ),
    ...entity(
      'Device',
      'device',
      'deviceId:text deviceName:text mac:text productId:text productName:text categoryName:text nodeTypeName:text protocolName:text online:number onlineName:text versionNumber:text applicationId:text haZoneId:number parentId:text loggerLevel:number realTimePushSwitch:number productKey:text',
    ),
    ...entity('Device log', 'device log', 'deviceId:text createTime:text log:text'),
    ...entity('Connect record', 'connect record', 'connectTime:text status:number'),
    ...entity(
      'Message record',
      'message record',
      'messageTime:text functionType:number functionId:text code:number messageId:text sessionId:text value:text dataFlow:number',
    ),
    ...entity('Blacklist', 'blacklist entry', 'deviceId:text deviceName:text blackTime:text'),
    ...entity(
      'OTA version',
      'OTA version',
      'versionId:text versionName:text versionNumber:text productId:text firmwareUri:text nickName:text',
    ),
    ...entity(
      'OTA task',
      'OTA task',
      'taskId:text taskName:text taskRank:number taskType:number taskStart:text taskEnd:text executeNow:number appId:text deviceVersionId:text versionNumber:list taskStatus:number completion:number result:number handler:text cron:text',
    ),
    row(
      'OTA task: deviceListId, the chosen devices',
      loop(
        'console/features/ota/form/task-form › counts pasted ids once, names unknown ones, and makes the task for exactly the rest',
        'deviceListId',
      ),
    ),
    ...entity('Device OTA record', 'device OTA record', 'deviceOtaTaskId:text status:number deviceId:text'),
    ...entity(
      'Availability zone',
      'availability zone',
      'id:number zoneName:text zoneType:number status:number nums:number createTime:text updateTime:text routeKey:text address:text isSyncModel:number nodes:list',
    ),
    ...entity(
      'Inner node',
      'inner node',
      'index:number hostName:text port:number serverType:number username:text hasPassword:number',
    ),
    row(
      'Inner node: password and SSL certificate file, which are never sent to a browser again',
      'server/zones › is added with its nodes, and never tells their secrets',
      'console/features/zone/form/zone-form › makes a zone with a node, its password and its certificate, and leads to it',
    ),
    row(
      'Nodes show connection address, port, service type, account, password and SSL certificate',
      'console/features/zone/detail/zone-detail › names what a node has as the form does, and says that there is no certificate',
    ),
    row(
      'Nodes show their index, and outer ones the external address',
      'console/features/zone/detail/zone-detail › shows the external address of an outer node, and that the zone has no devices of its own',
    ),
    ...entity('Outer node', 'outer node', 'bucketUrl:text bucketZoneId:number'),
    ...entity(
      'Sync record',
      'sync record',
      'syncId:text deviceId:text productId:text syncStatus:number dataType:number zoneId:number createTime:text',
    ),
    ...entity('Sync counts', 'sync counts', 'model:object data:object'),
    row(
      'Sync counts: total, success and fail, and the time of synchronisation',
      'server/sync-send › have a record for each zone, not synchronized until somebody asks',
      'server/sync-send › arrive whole in the tenant and application of the key',
    ),
    ...entity(
      'Mock device',
      'mock device',
      'deviceId:text deviceName:text productId:text categoryName:text nodeType:number createTime:text children:list defaults:object',
    ),
    row(
      `Mock protocol message envelope: ${ENVELOPE.replaceAll(' ', ', ')}`,
      is(ENVELOPE.split(' '), ({ contract }) => Object.keys(contract.envelope.shape)),
      'server/protocol-page › shows every kind of message, each as its schema has it',
    ),
    row(
      'Local storage: Authorization, roleId, isFirst, userId, username, email, phone, image, tenancyName, tenancyId, and the menus',
      storage,
    ),
    row('Local storage: language', 'console/app/reload › reloads 200 ms after another language is chosen'),
  ],
};
