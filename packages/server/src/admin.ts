import {
  accountCalls,
  applicationCalls,
  auditCalls,
  categoryCalls,
  deviceCalls,
  modelCalls,
  outboxCalls,
  personalCalls,
  productCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { connect } from './db/connect.ts';
import { sweepPictures } from './db/pictures.ts';
import { createAccountService } from './features/account/account.service.ts';
import { createLoginThrottle } from './features/account/login-throttle.ts';
import { createApplicationService } from './features/application/application.service.ts';
import { createAuditService } from './features/audit/audit.service.ts';
import { createCategoryFunctions } from './features/category/category.functions.ts';
import { createCategoryService } from './features/category/category.service.ts';
import { createCodeService } from './features/code/code.service.ts';
import { createDeviceService } from './features/device/device.service.ts';
import { createModelService } from './features/model/model.service.ts';
import { codeMessage, passwordMessage } from './features/outbox/messages.ts';
import { createOutboxSender } from './features/outbox/outbox.sender.ts';
import { createOutboxService } from './features/outbox/outbox.service.ts';
import { createPersonalService } from './features/personal/personal.service.ts';
import { createProductService } from './features/product/product.service.ts';
import { createMenuCatalog } from './features/role/menu-catalog.ts';
import { createRoleService } from './features/role/role.service.ts';
import { createSessionService } from './features/session/session.service.ts';
import { createTenancyService } from './features/tenancy/tenancy.service.ts';
import { createUserService } from './features/user/user.service.ts';
import { mountConsole } from './http/console-files.ts';
import { mountDocs } from './http/docs-page.ts';
import { mountHealth } from './http/health.ts';
import { createMount } from './http/mount.ts';
import { createHttpServer } from './http/server.ts';
import { startJobs } from './platform/jobs.ts';
import { createLog } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { createSecretBox } from './platform/secret-box.ts';
import { readSettings } from './platform/settings.ts';
import { createSide } from './platform/side.ts';
import { createTransports } from './platform/transports.ts';
import { VERSION } from './platform/version.ts';

/** The admin side: the HTTP interface for people, the console's files, and the jobs behind them. */
const settings = readSettings(process.env);
const log = createLog('admin', settings.LOG_LEVEL);
const side = createSide(log);
const metrics = createMetrics();
const secrets = createSecretBox(settings);
const transports = createTransports(settings);
const db = connect(settings);

let address = '';
const publicUrl = () => settings.PUBLIC_URL ?? address;

const menus = await createMenuCatalog(db, settings.MENU_LINKS);
const sessions = createSessionService({ db, menus, settings });
const outbox = createOutboxService({ db, secrets, settings });
const sender = createOutboxSender({ db, secrets, transports, log });
const codes = createCodeService({ db, outbox, codeMessage });
const throttle = createLoginThrottle({ db });

const app = await createHttpServer({ settings, log, metrics });
mountHealth(app, { db, metrics, deviceSideUp: side.deviceSideUp });
mountDocs(app, VERSION);

const mount = createMount(app, { authenticate: sessions.authenticate, publicLimit: settings.RATE_LIMIT_PUBLIC });
mount('account', accountCalls, createAccountService({ db, codes, menus, sessions, throttle }));
mount('personal', personalCalls, createPersonalService({ db, codes, sessions }));
mount('role', roleCalls, createRoleService({ db, menus }));
mount('user', userCalls, createUserService({ db, outbox, sessions, passwordMessage, publicUrl }));
mount('tenancy', tenancyCalls, createTenancyService({ db, sessions }));
mount('application', applicationCalls, createApplicationService({ db }));
mount('category', categoryCalls, Object.assign(createCategoryService({ db }), createCategoryFunctions({ db })));
mount('product', productCalls, createProductService({ db, secrets }));
mount('model', modelCalls, createModelService({ db }));
mount('device', deviceCalls, createDeviceService({ db }));
mount('audit', auditCalls, createAuditService({ db }));
mount('outbox', outboxCalls, outbox);
await mountConsole(app);

const jobs = startJobs(log, [
  { name: 'send messages', everyMs: 500, run: sender.sendDue },
  { name: 'sweep sessions', everyMs: 60_000, run: sessions.sweep },
  { name: 'sweep codes', everyMs: 60_000, run: codes.sweep },
  { name: 'sweep pictures', everyMs: 3_600_000, run: () => sweepPictures(db) },
  { name: 'sweep log-in attempts', everyMs: 60_000, run: throttle.sweep },
]);

side.onStop(async () => {
  await app.close();
  await jobs.stop();
  transports.close();
  await db.destroy();
});

await app
  .listen({ host: settings.HOST, port: settings.PORT })
  .catch((error: unknown) => side.cannotListen('PORT', settings.PORT, error));
const { port } = app.server.address() as { port: number };
address = `http://${settings.HOST}:${port}`;
side.ready(port);
