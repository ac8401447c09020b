import { deviceFactNames, quotaNames } from '@device-center/contract';

/**
 * Fields of calls that name no thing that somebody owns, so that no other tenant's can stand in them. Names that
 * lists are searched by are among them: access-matrix.test.ts sends another tenant's. A field of a new call is put
 * here, or among those that isolation.test.ts tries another's in.
 */
export const plainFields: ReadonlySet<string> = new Set([
  ...deviceFactNames,
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
