import { call, command } from './rows.mjs';

const device = [
  call(
    'GET /device/manage/queryDeviceList',
    'pageIndex pageSize applicationId categoryId deviceId deviceName nodeType mac online productId protocolId parentId sortField sortMode',
    'server/product-list › is filtered by each field, and says what each device is',
    'server/device-list › has the rows that fit, once each, in either order and from either end',
  ),
  call(
    'POST /device/manage/reboot',
    'deviceId type',
    'server/sdk › restart logs in again: another session, its numbers from 10000 on',
    'server/control › to a device that is offline or not there is refused',
  ),
  call(
    'POST /device/manage/markBlack',
    'idList op',
    'server/control › the blacklist cuts it and ends its tokens, all or none, and lists it',
  ),
  call(
    'POST /device/manage/kickOut',
    'deviceId op until',
    'server/control › a kick cuts it, with days also refuses it, until it is released',
  ),
  call(
    'GET /device/manage/queryDeviceLogList',
    'deviceId startTime endTime sortField sortMode pageIndex pageSize',
    'server/records › are the latest thousand, from a level up, by word and time',
  ),
  call(
    'GET /device/manage/getDeviceDetails',
    'deviceId',
    'server/devices › come in the order in which they should be looked into, and go when it is online',
  ),
  call(
    'GET /device/manage/getDeviceConfiguration',
    'deviceId',
    'server/control-configuration › takes a new level and switch only when the device has taken them',
  ),
  call(
    'POST /device/manage/updateDeviceConfiguration',
    'deviceId applicationId haZoneId loggerLevel realTimePushSwitch',
    'server/control-configuration › of an offline device may change its application and zone, and nothing else',
  ),
  call(
    'POST /device/manage/configLogLevel',
    'deviceId logLevel',
    'server/control-configuration › takes a new level and switch only when the device has taken them',
  ),
  call(
    'POST /device/manage/configLogSwitch',
    'deviceId logSwitch',
    'server/control-configuration › takes a new level and switch only when the device has taken them',
  ),
  call(
    'POST /device/manage/configHaArea',
    'deviceId haZoneId',
    'server/control-configuration › of an offline device may change its application and zone, and nothing else',
  ),
  call(
    'POST /device/manage/configApplication',
    'deviceId applicationId',
    'server/control › a disabled application cuts its devices and those that move into it',
  ),
  call(
    'POST /device/manage/commandDeviceFunction',
    'deviceId functionId functionValue',
    'server/control › goes down as the model has it, waits for the answer, and is remembered',
  ),
  call(
    'GET /device/manage/downloadDeviceLogFile',
    'logFileName',
    'server/records › of a day are a file, found by its exact name in one’s own tenant only',
  ),
  call(
    'GET /device/manage/deviceConnectRecord',
    'deviceId pageIndex pageSize sortMode',
    'server/records › are listed by status, and those of another tenant’s device of the same id are not',
  ),
  call(
    'GET /device/manage/deviceMessageRecord',
    '',
    'server/records › are filtered by kind, direction, name, number, type and time',
  ),
  call(
    'POST /device/manage/blackList',
    '',
    'server/control › the blacklist cuts it and ends its tokens, all or none, and lists it',
  ),
];

const versions = [
  call(
    'GET /device/ota/queryDeviceOtaVersionList',
    'pageIndex pageSize productId versionName versionNumber',
    'server/firmware-versions › is found by product, name, number and either, newest first',
  ),
  call(
    'GET /device/ota/getDeviceOtaVersionDetails',
    'versionId',
    'server/firmware-versions › is made of a checked file, shown, changed and deleted',
  ),
  call(
    'PUT /device/ota/addDeviceOtaVersion',
    'versionName firmwareUri versionNumber productId nickName',
    'server/firmware-versions › is made of a checked file, shown, changed and deleted',
  ),
  call(
    'PUT /device/ota/updateDeviceOtaVersion',
    'versionId versionName firmwareUri versionNumber productId nickName',
    'server/firmware-changes › of a name alone keeps the manifest, of the number signs a new one',
    'server/firmware-changes › never change the product',
  ),
  call(
    'DELETE /device/ota/deleteDeviceOtaVersion',
    'versionIds',
    'server/firmware-changes › with a task in state %i go if and only if it is over',
  ),
  call(
    'GET /device/ota/getProductVersionNumbers',
    'productId',
    'server/firmware-versions › are those uploaded and those that devices report, with how many, newest first',
  ),
  call(
    'PUT /device/ota/deleteDeviceOtaFile',
    'name',
    'server/firmware-upload › deletes the row and the bytes, by either door',
  ),
];

const tasks = [
  call(
    'GET /device/ota/queryDeviceOtaTaskList',
    'pageIndex pageSize taskId taskName versionId',
    'console/features/ota/list/task-list › reads its filters from the address, several states at once',
    'server/ota-incomplete › a task that was being written down when the hub was killed is nobody’s, and holds nobody',
  ),
  call(
    'GET /device/ota/deviceOtaList',
    'taskId pageIndex pageSize deviceId versionNumber productId status',
    'server/ota-tasks › ends with what became of each device, and retries the failed ones alone',
  ),
  call(
    'PUT /device/ota/addDeviceOtaTask',
    'taskName taskRank deviceVersionId taskEnd taskStart appId deviceListId versionNumber executeNow taskType',
    'server/ota-tasks › of a condition means those who run the versions, of the application named',
    'server/ota-tasks › that polls opens a run at its time, and waits for the next',
  ),
  call(
    'POST /device/ota/updateDeviceOtaTaskStatus',
    'taskId taskStatus',
    'server/ota-tasks › is paused and goes on: those under way are left alone',
  ),
  call(
    'DELETE /device/ota/deleteDeviceOtaTask',
    'taskIds',
    'server/ota-tasks › lets go of a device that is deleted or leaves its application',
  ),
  call(
    'POST /device/ota/retryOtaForFailed',
    'taskId taskRank taskEnd taskStart deviceListId executeNow taskType',
    'server/ota-tasks › ends with what became of each device, and retries the failed ones alone',
  ),
  call('POST /device/ota/deviceOtaFirst', 'deviceOtaTaskId', command('ota.deviceOtaFirst'), {
    test: 'console/features/ota/detail/task-detail › lets a waiting device be first',
  }),
  call('POST /device/ota/restartDeviceOtaTask', 'taskId', command('ota.restartDeviceOtaTask')),
  call(
    'POST /device/ota/cancelOtaTask',
    'taskId',
    'server/ota-tasks › lets go of a device that is deleted or leaves its application',
  ),
  call(
    'POST /device/ota/startOtaTaskStatus',
    'taskId',
    'server/ota-tasks › goes stage by stage, and stops where too many fail, within one stage',
  ),
  call(
    'POST /device/ota/suspendOtaTaskStatus',
    'taskId',
    'server/ota-tasks › is paused and goes on: those under way are left alone',
  ),
];

export const deviceCalls = [...device, ...versions, ...tasks];
