import { layout, person } from './layout.mjs';
import { loop, row, screen, source } from './rows.mjs';

const SHELL = 'packages/console/src/app';
const walk = 'e2e/onboarding › from the first start to a colleague who sees two menus, in {language}';
const everyScreen = 'e2e/screens › every screen as {role}, {language}, light and dark, 1920, 1440 and 390 wide';

const publicScreens = [
  row(
    "'/': log-in with account and password",
    source(`${SHELL}/router.tsx`, "path: '/',"),
    everyScreen,
    walk,
    loop('console/app/form-rules › %s', "['log-in', '/', logIn]"),
    'server/login › answers who one is and what one may see',
  ),
  row(
    "'/validateAccount': confirm the account, security check with the e-mailed code, reset the password, back to the log-in after a countdown",
    source(`${SHELL}/router.tsx`, "path: '/validateAccount'"),
    everyScreen,
    walk,
  ),
];

const menuScreens = [
  screen(
    '/message/messageChart',
    1,
    'console/features/home/home › shows four figures of the own tenant, each with its change since the day began',
  ),
  row(
    '/message/messageChart is where one is led by default',
    'console/app/shell › leads to the message chart first whoever may see it',
    'console/app/shell › leads a role to its first page, with only its own menus',
  ),
  screen(
    '/systemConfig/roleList',
    201,
    'console/features/role/role-list › explains why a role that users hold stays, and leads to them',
  ),
  screen('/systemConfig/userList', 202, 'console/features/user/user › are listed with no phone or e-mail whole'),
  screen(
    '/systemConfig/tenantList',
    301,
    'e2e/shell › a linked tenant stays, named with what is linked; a free one goes',
  ),
  screen('/systemConfig/applyList', 302, 'console/features/application/application-list › asks before it disables'),
  screen(
    '/categoryConfig/categoryList',
    401,
    'console/features/category/category › keeps the filters of the list in the address',
  ),
  screen(
    '/productConfig/productList',
    502,
    'console/features/product/product › keeps filters and layout of the list in the address',
  ),
  screen(
    '/productConfig/deviceList',
    501,
    'console/features/device/list/device-list › counts by status under the other filters, and keeps all of them in the address',
  ),
  screen(
    '/productConfig/blackDeviceList',
    503,
    'console/features/device/black/black-list › tells reason and who, and takes one off',
  ),
  screen(
    '/OTAUpdate/softwareVersion',
    601,
    'console/features/firmware/list/version-list › shows file, sums and devices, and keeps its filters in the address',
  ),
  screen(
    '/OTAUpdate/updateMission',
    602,
    'console/features/ota/list/task-list › shows whom a task means, when it runs and how far it is',
  ),
  screen(
    '/avaConfig/availableList',
    603,
    'console/features/zone/list/zone-list › shows what kind a zone is of, its nodes and its devices, and leads to it',
  ),
  screen(
    '/dataSynch/dataShow',
    604,
    'console/features/sync/list/count-list › shows how far models and data are, and leads to the records',
  ),
  row(
    '/dataSynch leads on to dataShow',
    'console/features/sync/list/count-list › is where the folder of the menu leads',
  ),
  screen(
    '/deviceMock/mockList',
    1101,
    'console/features/mock/list/mock-list › shows each mock device with its product, children and application, and leads on',
  ),
  row(
    'The menus with their ids, /systemConfig 2, /categoryConfig 4, /productConfig 5, and /OTAUpdate, /avaConfig, /dataSynch all 6',
    'server/menus › are those of the specification, with their ids and paths',
    'console/app/navigation › tells apart the three parents that share the number 6',
  ),
];

const hiddenScreens = [
  screen(
    '/person/personCenter',
    undefined,
    'e2e/personal › an avatar is cropped, kept, and shown to its owner; what is no picture is refused',
  ),
  screen(
    '/person/updatePassword',
    undefined,
    'console/features/personal/person-center › wants the new password twice alike and without the account, else nothing is sent',
  ),
  screen(
    '/person/updateEmail',
    undefined,
    'console/features/personal/address-page › is changed by proving the present one and giving the new one twice with its own code',
  ),
  screen(
    '/person/updatePhone',
    undefined,
    'console/features/personal/address-page › is offered to be bound where there is none to change',
  ),
  screen(
    '/person/destoryAccount',
    undefined,
    'console/features/personal/address-page › wakes only for the code and the typed account, and tells why the last administrator stays',
  ),
  screen(
    '/person/bindPhone',
    undefined,
    'console/features/personal/address-page › has to be given twice alike, else nothing is sent',
  ),
  screen(
    '/add/addRole/$roleId/$status',
    201,
    'console/features/role/permission-tree › previews the sidebar and sends pages only',
  ),
  screen(
    '/add/addUser/$userId/$status',
    202,
    "console/features/user/user › are made by a form that puts the hub's refusals at their fields",
  ),
  screen(
    '/add/addTenant/$tenancyId/$status',
    301,
    'console/features/tenancy/tenant-form › sends once however often submit is clicked, then shows the result and goes back to the list',
  ),
  screen(
    '/add/addApply/$applicationId/$status',
    302,
    'console/features/application/application-list › shows a disabled application read-only',
  ),
  screen(
    '/add/addCategory',
    401,
    'console/features/category/category › makes one from a standard category and goes on to its functions',
  ),
  screen(
    '/add/addProduct',
    502,
    'console/features/product/product › shows the functions to take over, and the secret once',
  ),
  screen(
    '/add/addOta/$versionId/$status',
    601,
    'console/features/firmware/form/version-form › uploads a file, waits for its check, and makes a version of it',
  ),
  screen(
    '/add/addMission',
    602,
    'console/features/ota/form/task-form › counts pasted ids once, names unknown ones, and makes the task for exactly the rest',
  ),
  screen(
    '/add/addAvaild',
    603,
    'console/features/zone/form/zone-form › makes a zone with a node, its password and its certificate, and leads to it',
  ),
  screen(
    '/add/addMock',
    1101,
    'console/features/mock/create/add-mock › finds the product by its id, makes the device and goes to its console',
  ),
  screen(
    '/detail/detailCategory/$categoryId/$categoryName',
    401,
    'console/features/category/category › leads from the form of a category that is not theirs to its page, where nothing can be changed',
  ),
  screen(
    '/detail/detailProduct/$productId',
    502,
    'console/features/product/product-model › compares two ticked versions, which the address remembers',
  ),
  screen(
    '/detail/detailDevice/$deviceId',
    501,
    'console/features/device/detail/device-detail › shows children of gateways, and tabs in the address',
  ),
  screen(
    '/detail/realTimeLog/$deviceId',
    501,
    'e2e/device-detail › the real-time log turns on, follows, stops for its reader, and takes thousands of lines',
  ),
  screen(
    '/detail/updLogDetail/$taskId',
    602,
    'console/features/ota/detail/task-detail › counts devices by state, and each count filters the table and the address',
  ),
  screen(
    '/detail/dataDetail',
    604,
    'console/features/sync/record/record › shows what is sent and what is there, sends it, and tells of the tries',
  ),
  screen(
    '/detail/detailAvaild/$id',
    603,
    'console/features/zone/detail/zone-detail › says how devices connect there, and what its nodes are',
  ),
  screen(
    '/detail/detailSync/$zoneId/$zoneName/$status',
    604,
    'console/features/sync/zone/sync-zone › shows a record of the product on one tab and of the device on the other',
  ),
  screen(
    '/detail/detailMock/$deviceId',
    1101,
    'console/features/mock/panel/mock-panel › goes online in three steps, remembers it in the address, shows what passes, and leaves',
  ),
  row(
    'An unknown path leads to /404',
    source(`${SHELL}/router.tsx`, "path: '/404'"),
    'console/app/shell › sends an unknown path to /404 and a signed-out visitor to the log-in',
  ),
];

const otherScreens = [
  row(
    'First log-in: a forced change of the password',
    'console/app/shell › forces the initial password to be changed before anything else is asked of the hub',
    'server/sessions › lets one do nothing but change the password',
    walk,
  ),
  row(
    'Device configuration',
    'console/features/device/detail/device-detail › lets application and area be changed while offline, the log not, and says so',
  ),
  row(
    'Device log',
    'server/records › are the latest thousand, from a level up, by word and time',
    'console/features/device/log/log-files › are saved, and say so when that fails',
    everyScreen,
  ),
  screen(
    '/detail/qrCode/$deviceId',
    1101,
    'console/features/qr/qr-page › makes a code of the id in the address, and of whatever content is typed',
    'e2e/qr › what a saved picture holds is what was typed, as PNG and SVG, with and without logo',
  ),
];

export const screens = {
  number: 2,
  title: 'Screens and routes',
  intro: [
    'Each route is one of the console’s pages, opened by the menu that is named, and the browser test of all screens opens it in both languages, both themes and both sizes.',
  ],
  rows: [...publicScreens, ...menuScreens, ...hiddenScreens, ...otherScreens, ...layout, ...person],
};
