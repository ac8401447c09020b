import { is, loop, row } from './rows.mjs';
import { upgrades } from './upgrades.mjs';

const control = (title) => `server/control › ${title}`;
const kick = control('a kick cuts it, with days also refuses it, until it is released');

const tenants = [
  row(
    'A tenant is enabled or not',
    'server/tenancies › disables its applications and ends its sessions at once; opening it brings neither back',
    'server/tenancies › leaves a closed tenant closed and an open one open',
  ),
  row(
    'An application is enabled or not',
    'server/applications › is switched off and on',
    control('a disabled application cuts its devices and those that move into it'),
  ),
  row(
    'Closing a tenant disables all its applications',
    'server/tenancies › disables its applications and ends its sessions at once; opening it brings neither back',
    'server/tenancies › leaves no enabled application in a closed tenant',
  ),
];

const zones = [
  row(
    'Zone status 0 disabled',
    loop('server/zone-broker › sends the devices of a disabled zone to its own listener', 'status: 0'),
    'server/sync-failures › is not sent to, and says so',
  ),
  row(
    'Zone status 1 enabled',
    loop('server/zone-devices › is sent to the broker of its zone, and to the hub where there is none', 'status: 1'),
  ),
  row(
    'Changing a zone’s status asks for confirmation',
    'console/features/zone/list/zone-list › says before a zone is disabled how many devices go to the hub itself',
    'console/features/zone/list/zone-list › asks before a zone is enabled too',
  ),
  row(
    'Switching the node type clears the configured nodes, after a confirmation',
    'console/features/zone/form/zone-form › clears the nodes of the other kind, after a question',
  ),
  row(
    'Zone type 1 inner node',
    is(1, ({ contract }) => contract.ZoneType.inner),
    'server/zones › is added with its nodes, and never tells their secrets',
  ),
  row(
    'Zone type 2 outer node',
    is(2, ({ contract }) => contract.ZoneType.outer),
    'console/features/zone/form/zone-form › checks an outer node by its own rules and stores its key',
    'server/zones › to outer nodes is refused for built-in zones and where devices are',
  ),
];

const syncStatus = (name, value, ...tests) =>
  row(
    `Sync status ${value} ${name}`,
    is(value, ({ contract }) => Object.values(contract.SyncStatus)[value]),
    ...tests,
  );
const syncs = [
  syncStatus(
    'not synchronized',
    0,
    'server/sync-send › have a record for each zone, not synchronized until somebody asks',
    'server/sync-send › go back to not synchronized at once when they change, and tell how they differ',
  ),
  syncStatus(
    'synchronizing',
    1,
    'server/sync-failures › nothing yet, while the other has not answered: until then it is being synchronized',
  ),
  syncStatus('success', 2, 'server/sync-send › arrive whole in the tenant and application of the key'),
  syncStatus(
    'failed',
    3,
    'server/sync-failures › an id that another has',
    'console/features/sync/zone/sync-zone › sends what was selected after a preview, and shows why it failed',
  ),
];

const online = (value, name, ...tests) =>
  row(
    `Device online ${value} ${name.toLowerCase()}`,
    is(name, ({ contract }) => contract.onlineNames[value].en_US),
    ...tests,
  );
const devices = [
  online(
    1,
    'Online',
    'server/device-link › a device over %s registers, reports, is commanded, answers, and leaves',
    'console/features/device/list/device-list › counts by status under the other filters, and keeps all of them in the address',
  ),
  online(
    2,
    'Offline',
    'server/connectivity-crash › after a kill is what it is: offline with the reason, then online again',
    'server/connectivity-keep-alive › the presence of a connection that has gone silent ends with its keep-alive',
  ),
  row(
    'Commands are unavailable while offline',
    control('to a device that is offline or not there is refused'),
    'console/features/device/detail/device-detail › offers every function that can be sent, and says why it cannot be sent now',
  ),
  row(
    'Log configuration is unavailable while offline',
    'server/control-configuration › of an offline device may change its application and zone, and nothing else',
    'console/features/device/detail/device-detail › lets application and area be changed while offline, the log not, and says so',
  ),
  row(
    'Device action: restart',
    'server/sdk › restart logs in again: another session, its numbers from 10000 on',
    'console/features/device/list/bulk-job › restarts each by itself, and lists those that are not online',
  ),
  row(
    'Device action: add to the blacklist',
    control('the blacklist cuts it and ends its tokens, all or none, and lists it'),
    'console/features/device/list/device-list › blacklists one with a reason',
  ),
  row(
    'Device action: remove from the blacklist',
    'console/features/device/black/black-list › tells reason and who, and takes one off',
    'server/sdk › on the blacklist it is cut, says so, tries again only slowly, and comes back when it is told to',
  ),
  row(
    'Device action: kick offline',
    'server/connectivity-admission › without days ends the present session, tells the device, and lets it log in again',
    kick,
  ),
  row(
    'Device action: kick offline for a number of days, after which the limit lifts',
    kick,
    'server/connectivity-admission › of days is over with its time, without anybody releasing the device',
    'console/features/device/list/device-list › kicks for days, and shows for how long',
  ),
  row(
    'Device action: release the online restriction',
    kick,
    'console/features/device/list/device-list › releases a kicked device',
  ),
  row(
    'Only gateways allow viewing child devices',
    'console/features/device/detail/device-detail › shows children of gateways, and tabs in the address',
    'console/features/device/list/device-list › leads from a gateway to what is behind it, and back',
    'server/connectivity-gateway › is had by a device that is no gateway',
  ),
];

const nodeType = (value, name, ...tests) =>
  row(
    `Node type ${value} ${name.toLowerCase()}`,
    is(name, ({ contract }) => contract.nodeTypes[value].en_US),
    ...tests,
  );
const nodes = [
  nodeType(
    1,
    'Monomer',
    'server/mock › is made of a monomer by a role that has nothing but this menu, and is a device like any other',
  ),
  nodeType(
    2,
    'Gateway',
    'server/connectivity-gateway › comes through its gateway, speaks, is commanded, answers, and leaves',
  ),
  nodeType(
    3,
    'Gateway child',
    'server/connectivity-gateway › has no connection of its own: its token opens neither door',
  ),
];

const firmware = [
  row(
    'Firmware upload waits for the background result',
    'console/features/firmware/form/version-form › uploads a file, waits for its check, and makes a version of it',
    'server/firmware-upload › in pieces of any size arrives as it was sent, and is checked',
  ),
  row(
    'Firmware upload: a timeout asks for a new upload',
    'console/features/firmware/form/version-timeout › asks for a new upload when no result comes',
  ),
];

const steps =
  'console/features/mock/panel/step-progress › a failure stays where it was, with its reason, until the step is taken again';
const panel = (title) => `console/features/mock/panel/mock-panel › ${title}`;
const mocks = [
  row(
    'Mock device log-in: success or failure',
    panel('goes online in three steps, remembers it in the address, shows what passes, and leaves'),
    panel('says of a refused log-in why, counts down to the next try, and tries at once when told to'),
  ),
  row(
    'Mock device MQTT connect: success or failure',
    panel('goes online in three steps, remembers it in the address, shows what passes, and leaves'),
    steps,
  ),
  row(
    'Mock device topic subscribe: success or failure',
    panel('goes online in three steps, remembers it in the address, shows what passes, and leaves'),
    'console/features/mock/panel/step-progress › the steps fail each by itself: log-in, connection, subscription',
  ),
  row('Mock device: log in again and reconnect', panel('logs in again and reconnects when told to')),
  row(
    'Mock device: token refresh',
    'server/connectivity-token › is put off by a refresh; the new token counts, the old one for a while more',
    panel('logs in again and reconnects when told to'),
  ),
];

const others = [
  row(
    'The first-login flag forces a change of the password',
    'server/sessions › lets one do nothing but change the password',
    'console/app/shell › forces the initial password to be changed before anything else is asked of the hub',
  ),
  row(
    'Leaving an unsaved page asks for confirmation',
    'console/features/tenancy/tenant-form › asks before it lets unsaved input go',
    'e2e/shell › a double click makes one tenant; leaving an unsaved page asks; back returns to the filtered list',
  ),
];

export const states = {
  number: 4,
  title: 'States and transitions',
  rows: [...tenants, ...zones, ...syncs, ...devices, ...nodes, ...upgrades, ...firmware, ...mocks, ...others],
};
