import {
  accountCalls,
  apiKeyCalls,
  applicationCalls,
  auditCalls,
  brokerAuthCalls,
  bucketCalls,
  categoryCalls,
  controlCalls,
  deviceCalls,
  firmwareCalls,
  homeCalls,
  mockCalls,
  modelCalls,
  otaCalls,
  outboxCalls,
  personalCalls,
  productCalls,
  quotaCalls,
  recordCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
  zoneCalls,
} from '@device-center/contract';
import { createNumberLease, RENEW_MS } from './db/hub-lease.ts';
import { createLeaderLease } from './db/leader-lease.ts';
import { createAccountService } from './features/account/account.service.ts';
import { createLoginThrottle } from './features/account/login-throttle.ts';
import { createOwnPassword } from './features/account/own-password.ts';
import { createApiKeys } from './features/api-key/api-key.service.ts';
import { createApplicationService } from './features/application/application.service.ts';
import { createAuditService } from './features/audit/audit.service.ts';
import { createBrokerAuth } from './features/broker-auth/broker-auth.service.ts';
import { createBucketService } from './features/bucket/bucket.service.ts';
import { createDeviceLogin } from './features/bucket/device-login.ts';
import { createListeners, hubUrl, localUrl } from './features/bucket/listeners.ts';
import { createCategoryFunctions } from './features/category/category.functions.ts';
import { createCategoryService } from './features/category/category.service.ts';
import { createCodeService } from './features/code/code.service.ts';
import { denialReason, selectDeviceSessions } from './features/connectivity/device-session.ts';
import { createControl } from './features/control/control.ts';
import { createDeviceChanges } from './features/device/device.changes.ts';
import { createDeviceRegistration } from './features/device/device.registration.ts';
import { createDeviceService } from './features/device/device.service.ts';
import { createFirmwareLinks } from './features/firmware/firmware.links.ts';
import { createFirmware } from './features/firmware/firmware.ts';
import { mountFirmwareUpload } from './features/firmware/firmware.upload.ts';
import { createHomeService } from './features/home/home.service.ts';
import { createMockCreation } from './features/mock/mock.creation.ts';
import { createMockRunner } from './features/mock/mock.runner.ts';
import { createMockService } from './features/mock/mock.service.ts';
import { createModelService } from './features/model/model.service.ts';
import { createOta } from './features/ota/ota.ts';
import { addressMessage, codeMessage, passwordMessage } from './features/outbox/messages.ts';
import { createOutboxSender } from './features/outbox/outbox.sender.ts';
import { createOutboxService } from './features/outbox/outbox.service.ts';
import { createPersonalService } from './features/personal/personal.service.ts';
import { createProductOverview } from './features/product/product.overview.ts';
import { createProductService } from './features/product/product.service.ts';
import { createQuotaService } from './features/quota/quota.service.ts';
import { createRejectedQueries } from './features/record/record.rejected.ts';
import { createRecordService } from './features/record/record.service.ts';
import { createRecordStream } from './features/record/record.stream.ts';
import { createMenuCatalog } from './features/role/menu-catalog.ts';
import { createRoleService } from './features/role/role.service.ts';
import { createSessionService } from './features/session/session.service.ts';
import { createSync } from './features/sync/sync.ts';
import { createTenancyService } from './features/tenancy/tenancy.service.ts';
import { createUserService } from './features/user/user.service.ts';
import { createNodeChecks } from './features/zone/zone.node-checks.ts';
import { createNodeTest } from './features/zone/zone.node-test.ts';
import { createZoneService } from './features/zone/zone.service.ts';
import { mountConsole } from './http/console-files.ts';
import { deviceProcessAddress, pipeDeviceWebSockets } from './http/device-websocket.ts';
import { mountDocs } from './http/docs-page.ts';
import { createDrain } from './http/drain.ts';
import { mountHealth } from './http/health.ts';
import { createMount } from './http/mount.ts';
import { createHttpServer } from './http/server.ts';
import { createMaintenance } from './maintenance.ts';
import { createFileStore } from './platform/file-store/open-store.ts';
import { inUrl } from './platform/in-url.ts';
import { IDLE_MS, startJobs } from './platform/jobs.ts';
import { ListenError } from './platform/listen-error.ts';
import { createMetrics, isWritable } from './platform/metrics.ts';
import { createOutbound } from './platform/outbound/outbound.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { createTransports } from './platform/transports.ts';
import { VERSION } from './platform/version.ts';
import { createRejectionWriter } from './records/rejections.ts';
import type { ProcessDeps, RunningProcess } from './run-process.ts';

/** The admin process: HTTP API, console files and jobs. */
export const createAdminProcess = async ({
  settings,
  databases: { db, records },
  log,
  channel,
  deviceSocket,
}: Omit<ProcessDeps, 'onLeaseExpired'>): Promise<RunningProcess> => {
  const metrics = createMetrics();
  const secrets = createSecretBox(settings);
  const transports = createTransports(settings);
  const { notifier } = channel;
  const hubNumber = await createNumberLease(db);
  const leader = await createLeaderLease(db, !settings.DATABASE_URL);
  const hasDeviceProcess = settings.PROCESSES === 'both';

  let address = '';
  let httpPort = 0;
  const publicUrl = () => settings.PUBLIC_URL ?? address;

  const menus = await createMenuCatalog(db, settings.MENU_LINKS);
  const sessions = createSessionService({ db, menus, settings });
  const apiKeys = createApiKeys({ db, sessions });
  const outbox = createOutboxService({ db, menus, secrets, settings });
  const sender = createOutboxSender({ db, secrets, transports, log });
  const codes = createCodeService({ db, secrets, outbox, codeMessage });
  const throttle = createLoginThrottle({ db });
  const ownPassword = createOwnPassword({ db, throttle });
  const firmwareStore = await createFileStore(settings);
  const firmwareLinks = createFirmwareLinks({
    secrets,
    publicUrl: () => hubUrl(settings, httpPort),
    lifeMs: settings.FIRMWARE_LINK_LIFE,
  });
  const firmware = createFirmware({
    db,
    secrets,
    store: firmwareStore,
    links: firmwareLinks,
    maxBytes: settings.FIRMWARE_MAX,
    log,
  });

  const drain = createDrain(log);
  const app = await createHttpServer({ settings, log, metrics, isDraining: drain.isDraining });
  if (hasDeviceProcess) metrics.showDevices(channel.deviceStats);
  mountHealth(app, {
    db,
    metrics,
    deviceProcessUp: hasDeviceProcess ? () => channel.deviceProcess().up : undefined,
    recordsWritable: () => isWritable(channel.deviceStats()),
    isDraining: drain.isDraining,
  });
  mountDocs(app, VERSION);

  const mount = createMount(app, {
    authenticate: apiKeys.authenticate,
    publicLimit: settings.RATE_LIMIT_PUBLIC,
    deviceLimit: settings.RATE_LIMIT_DEVICES,
  });
  mount('account', accountCalls, createAccountService({ db, codes, menus, sessions, throttle }));
  mount(
    'personal',
    personalCalls,
    createPersonalService({ db, codes, sessions, throttle, ownPassword, outbox, addressMessage }),
  );
  mount('apiKey', apiKeyCalls, apiKeys.calls);
  mount('role', roleCalls, createRoleService({ db, menus }));
  mount('user', userCalls, createUserService({ db, outbox, sessions, passwordMessage, publicUrl }));
  mount(
    'tenancy',
    tenancyCalls,
    createTenancyService({ db, sessions, notifier, removeFirmware: firmware.removeBytes }),
  );
  mount('quota', quotaCalls, createQuotaService({ db, records, notifier }));
  mount('application', applicationCalls, createApplicationService({ db, records, notifier }));
  mount('category', categoryCalls, Object.assign(createCategoryService({ db }), createCategoryFunctions({ db })));
  mount('product', productCalls, Object.assign(createProductService({ db, secrets }), createProductOverview({ db })));
  mount('model', modelCalls, createModelService({ db, notifier }));
  const deviceChanges = createDeviceChanges({ db, records, secrets, notifier });
  mount(
    'device',
    deviceCalls,
    Object.assign(createDeviceService({ db, records }), createDeviceRegistration({ db, secrets }), deviceChanges),
  );
  const mock = createMockService({ db, secrets, notifier, deleteDevices: deviceChanges.deleteDevices });
  const mockCreation = createMockCreation({ db, secrets });
  mount('mock', mockCalls, Object.assign(mock, mockCreation));
  const ownUrl = () => localUrl(settings.HOST, httpPort);
  const mockRunner = createMockRunner({ db, secrets, log, hubUrl: ownUrl, hasDeviceProcess });
  const { insertRehearsalDevices } = mockCreation;
  const ota = createOta({ db, notifier, linkFor: firmwareLinks.linkFor, insertRehearsalDevices, log });
  mount('ota', otaCalls, ota.calls);
  const home = createHomeService({ db, records });
  mount('home', homeCalls, home);
  const control = createControl({ db, notifier });
  mount('control', controlCalls, control.calls);
  mount(
    'record',
    recordCalls,
    Object.assign(
      createRecordService({ db, records }),
      createRejectedQueries({ db, records }),
      createRecordStream({
        db,
        records,
        notifier,
        authenticateAgain: apiKeys.authenticateAgain,
        fleetCounts: home.counts,
        upgradeNews: ota.taskUpdates,
      }),
    ),
  );
  const outbound = createOutbound(settings, {
    ownPorts: () => [httpPort, channel.deviceProcess().mqttPort, channel.deviceProcess().mqttsPort],
  });
  mount(
    'zone',
    zoneCalls,
    Object.assign(createZoneService({ db, secrets, notifier }), createNodeTest({ db, secrets, outbound })),
  );
  const nodeChecks = createNodeChecks({ db, secrets, outbound, log });
  const sync = await createSync({ db, records, secrets, outbound, settings, log, mount });
  const rejections = createRejectionWriter(records, log);
  const deviceLogin = createDeviceLogin({
    db,
    secrets,
    tokenLifeMs: settings.DEVICE_TOKEN_LIFE,
    recordRejection: rejections.record,
    log,
  });
  const listeners = createListeners(settings, () => {
    const { mqttPort: mqtt, mqttsPort: mqtts } = channel.deviceProcess();
    return { http: httpPort, mqtt, mqtts };
  });
  mount('bucket', bucketCalls, Object.assign(createBucketService({ db, deviceLogin, listeners }), firmware.delivery));
  const sessionRules = { select: selectDeviceSessions, denialReason };
  mount('brokerAuth', brokerAuthCalls, createBrokerAuth({ db, secrets, sessionRules }));
  mount('firmware', firmwareCalls, firmware.calls);
  await mountFirmwareUpload(app, {
    authenticate: apiKeys.authenticate,
    store: firmwareStore,
    locker: firmware.locker,
    uploads: firmware.uploads,
    maxBytes: settings.FIRMWARE_MAX,
    limit: settings.RATE_LIMIT,
  });
  mount('audit', auditCalls, createAuditService({ db }));
  mount('outbox', outboxCalls, outbox);
  await mountConsole(app);
  pipeDeviceWebSockets(app, {
    deviceProcess: deviceProcessAddress(hasDeviceProcess ? deviceSocket : undefined, settings.DEVICE_PROCESS_URL),
    trustProxy: settings.TRUST_PROXY,
    log,
  });

  const maintenance = createMaintenance({ db, records, settings, notifier, log });

  const jobs = startJobs(log, [
    { name: 'renew hub number', everyMs: RENEW_MS, run: hubNumber.renew },
    { name: 'run mock devices', everyMs: 1_000, idleMs: IDLE_MS, run: mockRunner.poll },
    ...ota.jobs,
    ...sync.jobs,
    { name: 'send messages', everyMs: 500, idleMs: IDLE_MS, run: sender.sendDue },
    { name: 'check firmware', everyMs: 500, idleMs: IDLE_MS, run: firmware.checker.run },
    ...leader.jobs([
      ...maintenance.jobs,
      ...ota.sweeps,
      { name: 'check other platforms', everyMs: 5_000, run: nodeChecks.run },
      { name: 'sweep sessions', everyMs: 60_000, run: sessions.sweep },
      { name: 'sweep codes', everyMs: 60_000, run: codes.sweep },
      { name: 'sweep firmware', everyMs: settings.FIRMWARE_SWEEP, run: firmware.sweep.run },
      { name: 'sweep login attempts', everyMs: 60_000, run: throttle.sweep },
    ]),
  ]);

  // A request or a notification may create work for the jobs.
  app.addHook('onResponse', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') jobs.wake();
  });
  for (const name of ['answer', 'instruction', 'model', 'upgrade', 'zone'] as const) notifier.on(name, jobs.wake);

  const stop = async (): Promise<void> => {
    await mockRunner.stop();
    control.stop();
    sync.stop();
    maintenance.stop();
    firmware.checker.stop();
    await app.close();
    await jobs.stop();
    await ota.stop();
    await rejections.close();
    await leader.release();
    await hubNumber.release();
    transports.close();
    await db.destroy();
    await records.destroy();
  };

  await app
    .listen({ host: settings.HOST, port: settings.PORT })
    .catch((error: unknown) => Promise.reject(new ListenError('PORT', settings.PORT, error)));
  const { port } = app.server.address() as { port: number };
  address = `http://${inUrl(settings.HOST)}:${port}`;
  httpPort = port;
  return { port, tlsPort: null, drain: drain.begin, runJob: jobs.run, stop };
};
