import { loop, row } from './rows.mjs';

const walk = 'e2e/onboarding › from the first start to a colleague who sees two menus, in {language}';

/** What the product does, each by what shows it whole; the other sections have the details. */
export const functions = {
  number: 1,
  title: 'What the product does',
  rows: [
    row('Tenants', 'server/tenancies › is made enabled, with what was sent, and changed as it is sent'),
    row('Applications', 'console/features/application/application-list › asks before it disables'),
    row(
      'Roles with permission menus',
      'console/features/role/permission-tree › previews the sidebar and sends pages only',
      walk,
    ),
    row('Users', "console/features/user/user › are made by a form that puts the hub's refusals at their fields", walk),
    row(
      'Standard and custom categories with function definitions',
      'console/features/category/category › makes one from a standard category and goes on to its functions',
      'server/category-functions › change in place, keep what an update leaves out, and never their type',
    ),
    row(
      'Products with function models',
      'server/products › is made with a key of letters and digits and tells all about itself in both languages',
      'server/models › come one by one as %s, at the end, each as a version',
    ),
    row(
      'Devices: detail and configuration',
      'console/features/device/detail/device-detail › shows children of gateways, and tabs in the address',
      'server/control-configuration › takes a new level and switch only when the device has taken them',
    ),
    row('Devices: logs', 'server/records › are the latest thousand, from a level up, by word and time'),
    row('Devices: commands', 'server/control › goes down as the model has it, waits for the answer, and is remembered'),
    row('Devices: restart', 'server/sdk › restart logs in again: another session, its numbers from 10000 on'),
    row('Devices: blacklist', 'server/control › the blacklist cuts it and ends its tokens, all or none, and lists it'),
    row('Devices: kick offline', 'server/control › a kick cuts it, with days also refuses it, until it is released'),
    row(
      'OTA firmware versions and upgrade tasks',
      'server/firmware-versions › is made of a checked file, shown, changed and deleted',
      'server/ota-tasks › ends with what became of each device, and retries the failed ones alone',
    ),
    row(
      'Availability zones with inner and outer nodes',
      'server/zones › is added with its nodes, and never tells their secrets',
      'console/features/zone/form/zone-form › checks an outer node by its own rules and stores its key',
    ),
    row(
      'Synchronisation of models and device data',
      'server/sync-send › arrive whole in the tenant and application of the key',
    ),
    row(
      'Mock devices: control panel over MQTT with real-time logs, log-in',
      'console/features/mock/panel/mock-panel › goes online in three steps, remembers it in the address, shows what passes, and leaves',
    ),
    row(
      'Mock devices: child devices',
      'server/mock-details › are all that somebody needs to be it: secret, method, constants, functions, defaults, children',
      'e2e/first-steps › a mock gateway brings ten children, and no eleventh',
    ),
    row(
      'Mock devices: QR codes',
      'console/features/qr/qr-page › makes a code of the id in the address, and of whatever content is typed',
    ),
    row(
      'Home: devices, messages, devices connected and online, messages a day over 7 days, 30 days or 12 months',
      'console/features/home/home › shows four figures of the own tenant, each with its change since the day began',
      'server/home › are of seven days in UTC unless told otherwise',
      'server/home-zones › at the end of a long month are still twelve',
    ),
    row(
      'Personal center: phone or e-mail, password, avatar, deletion of the account',
      'console/features/personal/address-page › is changed by proving the present one and giving the new one twice with its own code',
      'console/features/personal/person-center › wants the new password twice alike and without the account, else nothing is sent',
      'e2e/personal › an avatar is cropped, kept, and shown to its owner; what is no picture is refused',
      'server/codes-use › deletes the user with sessions and picture, once',
    ),
    row(
      'Log-in with a forgotten password by an e-mailed code',
      walk,
      loop('console/app/form-rules › %s', "['recovery'"),
    ),
    row(
      'Languages zh_CN (default) and en_US, stored locally; a change reloads the page after 200 ms',
      'console/app/reload › reloads 200 ms after another language is chosen',
      'e2e/language › Chinese by default; choosing English reloads, is stored, and outlives a cleared storage',
    ),
  ],
};
