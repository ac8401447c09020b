import { deviceAttributeNames, quotaNames } from '@device-center/contract';

/**
 * Fields of calls that reference no object of a tenant, so that no other tenant's object can be given. They include
 * search texts of lists: access-matrix.test.ts sends another tenant's. Add each field of a new call here or to the
 * references that isolation.test.ts replaces with another tenant's.
 */
export const plainFields: ReadonlySet<string> = new Set([
  ...deviceAttributeNames,
  ...quotaNames,
  ...`
  action allowMd5 allowOlder allowRegister applicationName attempt categoryName channel code companyAddress companyName
  contactName content cron cursor dataFlow description deviceName devices download email enabled endTime everySeconds
  executeNow expireTime format from fromVersion functionDefinition functionName functionType functionValue info
  importKey inheritFunctions install keyName kinds latest level limit logLevel logSwitch loggerLevel menus mode modelVersion name
  newPassword nickName nodeType offline oldPassword online op pageIndex pageSize password perMinute phone preferences
  presenceSince productName read realTimePushSwitch reason recipient retries roleName runInHub scope scopeSign
  searchValue sequence signCode silent sortField sortMode stage stageWait stages standard startTime state status
  stopAfter stopPercent target taskEnd taskName taskRank taskStart taskStatus taskType tenancyName timeout timezone to
  type until username values verification version versionName versionNumber
  `
    .trim()
    .split(/\s+/),
]);
