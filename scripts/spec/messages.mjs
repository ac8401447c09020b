import { is, loop, row, rule, says } from './rows.mjs';

const send = (title) => `console/api/send › ${title}`;
const dialog = 'console/app/shell › shows one blocking dialog for any number of 401s, and forgets everything on exit';
const closedTenant = 'e2e/shell › a tenant closed while its user works: one dialog, and nothing is left in the browser';
const TEXTS = 'contract/errors › %s has a sentence in each language, with the same parameters';

const responses = [
  row('A failed call shows a toast with the server’s message', send('shows what the hub said of a failed call')),
  row(
    "… or 'Error' where there is none",
    says('Error', 'words.common.error', { chinese: 'Error' }),
    send("says 'Error' where a failed answer has no message"),
  ),
  row(
    'The toast stays for 2 seconds',
    loop('console/app/toast › stays for 2000 ms %s', "'before the log-in'", "'after the log-in'"),
    'console/app/toast › is shown for a command that the hub refuses',
  ),
  row(
    'Status 401: a blocking warning dialog, titled token expired',
    says('Token expired', 'words.common.tokenExpiredTitle', { chinese: 'token失效' }),
    dialog,
    closedTenant,
  ),
  row(
    "… 'token失效,请重新登录'",
    says('Token expired, please log in again', 'words.common.tokenExpiredText', { chinese: 'token失效,请重新登录' }),
    says('Token expired, please log in again', 'errors.TOKEN_INVALID', { chinese: 'token失效,请重新登录' }),
    closedTenant,
    'server/contract › is refused without a token and with a made-up one',
  ),
  row('… with a single exit button', says('Exit', 'words.common.exit'), dialog),
  row('On confirm it clears all local storage, goes to the root and reloads', dialog, closedTenant),
  row(
    "A timeout: the code and 'device no response'",
    says('device no response', 'words.common.noResponse'),
    send('waits 120 s for an answer, then says the code and that the device does not respond'),
  ),
  row(
    'A 401 of a transport error gives the same dialog',
    send('takes a 401 that is no answer of the hub for the end of the session'),
  ),
  row(
    'Other transport errors: the server’s message, else the code and device no response',
    send('shows what the hub said of a failed call'),
    send('says of a network that fails its code and that the device does not respond'),
  ),
];

const users = [
  row(
    "'Operation succeeded'",
    says('Operation succeeded', 'successTexts.done'),
    says('Operation succeeded', 'words.common.operationSucceeded'),
    loop(TEXTS, 'successTexts'),
    loop('server/http › is the same as %s', "'Operation succeeded'"),
  ),
  row(
    "'Delete succeeded'",
    says('Delete succeeded', 'successTexts.deleted'),
    loop('e2e/shell › a linked tenant stays, named with what is linked; a free one goes', 'Delete succeeded'),
    "contract/errors › keep the spec's sentences word for word",
  ),
  row(
    "'Add failed'",
    says('Add failed', 'words.common.addFailed'),
    loop('console/features/mock/create/add-children › stays open with the reason where the hub refuses', 'Add failed'),
  ),
  row(
    "'Create failed, a task in progress cannot be created'",
    says('Create failed, a task in progress cannot be created', 'errors.TASK_IN_PROGRESS'),
    loop(
      'server/ota-tasks › of a higher rank takes devices over; one of the same or a lower rank is refused',
      'Create failed, a task in progress cannot be created',
    ),
    'console/features/ota/form/task-form › names the task that stands in the way, and takes its devices over with a higher priority',
  ),
  row(
    "'Firmware not yet uploaded'",
    says('Firmware not yet uploaded', 'errors.FIRMWARE_NOT_READY'),
    says('Firmware not yet uploaded', 'fieldTexts.FIRMWARE_MISSING'),
    loop(
      'server/firmware-versions › is refused with a file that is not there, not yet there, or not good',
      'Firmware not yet uploaded',
    ),
    'console/features/firmware/form/version-form › uploads a file, waits for its check, and makes a version of it',
  ),
  row(
    "'Firmware upload failed'",
    says('Firmware upload failed', 'errors.FIRMWARE_FAILED'),
    loop(
      'server/firmware-versions › is refused with a file that is not there, not yet there, or not good',
      'Firmware upload failed',
    ),
  ),
  row(
    'Firmware upload timed out',
    says('Upload timed out, please upload again', 'words.firmware.timedOut'),
    loop(
      'console/features/firmware/form/version-timeout › asks for a new upload when no result comes',
      'Upload timed out, please upload again',
    ),
  ),
  row(
    "'Device not online, not available'",
    says('Device not online, not available', 'errors.DEVICE_OFFLINE'),
    says('Device not online, not available', 'words.deviceDetail.notOnline'),
    loop(
      "console/features/device/detail/function-form › shows the hub's refusal where it was asked for",
      'Device not online, not available',
    ),
    'server/control › to a device that is offline or not there is refused',
  ),
  row(
    "'File download failed'",
    says('File download failed', 'words.deviceDetail.downloadFailed'),
    loop('console/features/device/log/log-files › are saved, and say so when that fails', 'File download failed'),
  ),
  row(
    "'Device does not exist'",
    says('Device does not exist', 'errors.DEVICE_NOT_FOUND'),
    loop(
      'console/features/device/detail/device-detail › says that a device does not exist, of one of another tenant too',
      'Device does not exist',
    ),
  ),
  row(
    "'Please add devices before submitting'",
    says('Please add devices before submitting', 'errors.NO_TARGET_DEVICES'),
    loop(
      'server/ota-tasks › of a condition means those who run the versions, of the application named',
      'Please add devices before submitting',
    ),
    'console/features/ota/form/task-form › asks for devices before it is submitted, and sends nothing',
  ),
  row(
    "'The number of selected products exceeds the limit'",
    says('The number of selected products exceeds the limit', 'fieldTexts.TOO_MANY_PRODUCTS'),
    rule('products chosen', { refuses: [Array.from({ length: 101 }, (_, index) => `id${index}`)] }),
    loop('contract/fields › refuses %j', 'TOO_MANY_PRODUCTS'),
  ),
  row(
    "'Search product result empty'",
    says('Search product result empty', 'words.mock.searchEmpty'),
    loop(
      'console/features/mock/create/add-mock › says that a search found nothing, and that a product has to be chosen',
      'Search product result empty',
    ),
  ),
  row(
    "'The tenant has linked applications/users, delete them first'",
    says('The tenant has linked applications/users, delete them first', 'errors.TENANCY_HAS_LINKS'),
    says('The tenant has linked applications/users, delete them first', 'words.tenancy.linkedTitle'),
    loop(
      'server/tenancies › is refused for one with applications or users, word for word',
      'The tenant has linked applications/users, delete them first',
    ),
    'e2e/shell › a linked tenant stays, named with what is linked; a free one goes',
  ),
  row(
    "'Deleting an application deletes all linked devices'",
    says('Deleting an application deletes all linked devices', 'words.application.deleteWarning'),
    loop(
      'console/features/application/application-list › deletes only after the name was typed, under the warning of the spec',
      'Deleting an application deletes all linked devices',
    ),
  ),
  row(
    "'Unbound phone, feature unavailable'",
    says('Unbound phone, feature unavailable', 'errors.PHONE_UNBOUND'),
    loop(
      'console/features/personal/address-page › is offered to be bound where there is none to change',
      'Unbound phone, feature unavailable',
    ),
  ),
  row(
    'Device log-in failed',
    says('Failed', 'words.mockPanel.step_failed'),
    loop(
      'console/features/mock/panel/mock-panel › says of a refused log-in why, counts down to the next try, and tries at once when told to',
      '40301 BLACKLISTED',
    ),
  ),
  row(
    'MQTT connect failed',
    says('Connect', 'words.mockPanel.stepName_connect'),
    'console/features/mock/panel/step-progress › the steps fail each by itself: log-in, connection, subscription',
    'console/features/mock/panel/step-progress › a lost connection is a failure; one that was ended on purpose is none',
  ),
  row(
    'MQTT subscribe failed',
    says('Subscribe', 'words.mockPanel.stepName_subscribe'),
    'console/features/mock/panel/step-progress › the steps fail each by itself: log-in, connection, subscription',
  ),
];

const words =
  (key) =>
  ({ words: texts }) =>
    texts.en_US.ota[key];
const shown = (reason) =>
  loop(
    'e2e/ota › a large file arrives over a line that is cut twice; a task brings it to twenty devices, in sight',
    `'${reason}'`,
  );
const upgrades = [
  row(
    'Upgrade file download failed',
    is('Download failed', words('reason_3')),
    'server/ota-tasks › ends with what became of each device, and retries the failed ones alone',
    shown('Download failed'),
  ),
  row(
    'Upgrade file verification failed',
    is('Verification failed', words('reason_4')),
    'server/ota-tasks › ends with what became of each device, and retries the failed ones alone',
    shown('Verification failed'),
  ),
  row(
    'Upgrade installation failed',
    is('Installation failed', words('reason_5')),
    'server/ota-tasks › ends with what became of each device, and retries the failed ones alone',
    shown('Installation failed'),
  ),
  row(
    'Upgrade overtime',
    is('Timeout', words('reason_1')),
    shown('Timeout'),
    loop(
      'server/ota-tasks › ends with what became of each device, and retries the failed ones alone',
      '{ reason: 1, devices: 1 }',
    ),
  ),
  row(
    'A higher-priority execution fails the current task',
    is('A higher-priority task ran', words('reason_2')),
    loop(
      'e2e/ota › a task of a higher priority takes devices over, one of a lower is refused',
      'A higher-priority task ran',
    ),
  ),
  row(
    'Select at least one item',
    says('Select at least one item', 'errors.SELECT_AT_LEAST_ONE'),
    says('select at least one item', 'fieldTexts.TOO_FEW'),
    loop('contract/fields › refuses %j', 'TOO_FEW'),
    "console/app/form-rules › a role's menus, by the tree",
  ),
  row(
    'The submission result dialog: success',
    'console/features/tenancy/tenant-form › sends once however often submit is clicked, then shows the result and goes back to the list',
  ),
  row(
    "The submission result dialog: 'submit failed'",
    says('submit failed', 'words.common.submitFailed'),
    "console/features/tenancy/tenant-form › puts the hub's refusals at their fields, under a dialog 'submit failed'",
  ),
];

export const messages = {
  number: 8,
  title: 'Messages',
  intro: ['A sentence in quotes is the product’s English one to the letter, and has a Chinese one beside it.'],
  also: [TEXTS, 'contract/errors › only an invalid token is 401: the console takes that for the end of the session'],
  rows: [...responses, ...users, ...upgrades],
};
