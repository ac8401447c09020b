import { call, command, loop } from './rows.mjs';

const account = [
  call('POST /user/login', 'username password', 'server/login › answers who one is and what one may see'),
  call(
    'POST /user/retrievePassword',
    'email code password',
    'server/codes-use › sets the new one and ends every session',
  ),
  call(
    'POST /user/getVerificationCode',
    'email',
    'server/codes › has six digits, and no column of any table holds them',
  ),
  call(
    'POST /user/getPhoneCode',
    'phone',
    'server/codes › by phone sends a text message to the webhook as { phone, text }',
  ),
];

const personal = [
  call(
    'POST /user/personal/checkCode',
    'code info type',
    'server/codes › is not used up by being checked, however often',
    'server/codes-bind › over a bound one needs a proof of the present one, and uses it',
  ),
  call(
    'POST /user/personal/bindEmail',
    'email code',
    'server/codes-bind › over a bound one needs a proof of the present one, and uses it',
  ),
  call(
    'POST /user/personal/bindPhone',
    'phone code',
    'server/codes-bind › for the first time needs the password, also where another address is bound',
  ),
  call(
    'DELETE /user/personal/cancelAccount',
    'code',
    'server/codes-use › deletes the user with sessions and picture, once',
  ),
  call(
    'POST /user/personal/firstLoginUpdatePassword',
    'newPassword oldPassword',
    'server/sessions › lets one do nothing but change the password',
    'server/sessions › ends when another session changes the password',
  ),
  call(
    'GET /user/personal/getPersonalMessage',
    '',
    'e2e/personal › the e-mail changes only after the present one is proven',
  ),
  call('POST /user/personal/updateSimpleUser', 'userId name', command('personal.updateSimpleUser')),
  call(
    'POST /user/personal/updateUserHead',
    'multipartFile',
    'server/avatar › that is a %s is served as a picture and never run',
    'server/avatar › must be there',
  ),
  call('GET /user/personal/loginOut', '', 'server/sessions › ends with log-out, and no other with it'),
];

const home = [
  call(
    'GET /home/getSystemDeviceCurrentCount',
    '',
    'server/home › are devices, messages, those that ever connected and those online, mock devices among them',
  ),
  call(
    'GET /home/getDayDeviceAccessCount',
    'scopeSign',
    'server/home › add up quarters to days and months of any zone, whichever hubs counted them',
  ),
  call(
    'GET /home/getDayDeviceMessageCount',
    'scopeSign',
    'server/home › add up quarters to days and months of any zone, whichever hubs counted them',
    'server/home › are of seven days in UTC unless told otherwise',
  ),
  call(
    'GET /home/getMonthDeviceAccessCount',
    '',
    'server/home › add up quarters to days and months of any zone, whichever hubs counted them',
  ),
  call(
    'GET /home/getMonthDeviceMessageCount',
    '',
    'server/home › add up quarters to days and months of any zone, whichever hubs counted them',
  ),
];

const list = (kind) => [
  loop('server/lists › shows ten, the newest first, unless told otherwise', kind),
  loop('server/lists › sorted by %i in direction %i has every row once over its pages, of whatever size', kind),
];

const role = [
  call(
    'GET /system/role/queryRoleList',
    'pageIndex pageSize roleName startTime endTime sortField sortMode tenancyId',
    'server/lists › are those from the start on and before the end',
    ...list('roleCalls.queryRoleList'),
  ),
  call(
    'DELETE /system/role/deleteRole',
    'roleId',
    'server/roles › that somebody holds refuses deletion, and with nobody left goes with its grants',
  ),
  call('GET /system/role/getRoleDetails', 'roleId', 'server/roles › has every menu'),
  call(
    'GET /system/role/getRoleMenu',
    'roleId',
    'server/contract › needs the roles or the users page; one’s own does not',
  ),
  call('PUT /system/role/addRole', 'roleName menus', 'server/roles › carries only menus that its maker has'),
  call(
    'POST /system/role/updateRole',
    'roleId roleName menus',
    'server/roles › that is changed takes effect at the next call of who holds it, without a new log-in',
  ),
  call(
    'GET /menu/manage/queryMenuList',
    '',
    'server/http-settings › appear in the menu list, in both languages, and in the menus of a log-in',
    'server/menus › are those of the specification, with their ids and paths',
  ),
  call(
    'GET /menu/manage/queryMenuListTree',
    '',
    'server/roles › that can be put into a role are the caller’s own, and for a tenant without the platform’s',
  ),
];

const user = [
  call(
    'GET /system/user/queryUserList',
    'pageIndex pageSize name roleId username phone',
    'server/lists › of users looks at name, account and phone, each by itself',
    ...list('userCalls.queryUserList'),
  ),
  call(
    'GET /system/user/getUserDetails',
    'userId',
    'console/features/user/user › get a new role only after a question, as it ends their sessions',
  ),
  call(
    'DELETE /system/user/deleteUsers',
    'userIds',
    'server/users › ends their sessions and takes them away, all or none',
  ),
  call(
    'PUT /system/user/addUser',
    'email username roleId phone tenancyId name',
    'server/users › gets a password by mail that opens the door once, to a password of his own',
  ),
  call(
    'POST /system/user/setUserRole',
    'userId roleId',
    'server/users › is one of the user’s tenant, and ends the user’s sessions at once',
  ),
];

const tenancyFields = 'phone email companyAddress tenancyName companyName contactName';
const tenancy = [
  call(
    'GET /system/tenancy/queryTenancyList',
    'pageIndex pageSize tenancyName companyName sortField sortMode',
    ...list('tenancyCalls.queryTenancyList'),
  ),
  call(
    'DELETE /system/tenancy/deleteTenancy',
    'tenancyId',
    'server/tenancies › is refused for one with applications or users, word for word',
  ),
  call('DELETE /system/tenancy/deleteTenancies', 'tenancyId', 'server/tenancies › takes all of several or none'),
  call(
    'PUT /system/tenancy/addTenancy',
    tenancyFields,
    'server/tenancies › is made enabled, with what was sent, and changed as it is sent',
  ),
  call(
    'POST /system/tenancy/updateTenancy',
    `${tenancyFields} tenancyId enabled`,
    'server/tenancies › is made enabled, with what was sent, and changed as it is sent',
    'server/tenancies › leaves a closed tenant closed and an open one open',
  ),
  call(
    'POST /system/tenancy/updateEnabledStatus',
    'enabled tenancyId',
    'server/tenancies › disables its applications and ends its sessions at once; opening it brings neither back',
  ),
  call(
    'GET /system/tenancy/getTenancyDetails',
    'tenancyId',
    'server/tenancies › is made enabled, with what was sent, and changed as it is sent',
    'server/tenancies › that does not exist is not found',
  ),
];

const application = [
  call(
    'GET /system/tenancy/application/queryApplicationList',
    'pageIndex pageSize searchValue applicationId tenancyId sortField sortMode',
    'server/applications › is narrowed by id, by state, and by a word in name or id',
    ...list('applicationCalls.queryApplicationList'),
  ),
  call(
    'DELETE /system/tenancy/application/deleteApplication',
    'applicationIds',
    'server/applications › takes all or none, and says so',
    'server/applications-deleted › cuts its devices and deletes them with all their records; others stay as they were',
  ),
  call(
    'PUT /system/tenancy/application/addApplication',
    'applicationName',
    'server/applications › is made enabled, in the maker’s tenant, with the maker’s name on it',
  ),
  call(
    'POST /system/tenancy/application/updateApplication',
    'applicationId applicationName',
    'server/applications › is made enabled, in the maker’s tenant, with the maker’s name on it',
  ),
  call(
    'POST /system/tenancy/application/updateEnabledStatus',
    'enabled applicationId',
    'server/applications › is switched off and on',
  ),
  call(
    'GET /system/tenancy/application/getApplicationDetails',
    'applicationId',
    'server/applications › is made enabled, in the maker’s tenant, with the maker’s name on it',
  ),
];

export const systemCalls = [...account, ...personal, ...home, ...role, ...user, ...tenancy, ...application];
