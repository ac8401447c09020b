import {
  accountCalls,
  applicationCalls,
  categoryCalls,
  deviceCalls,
  productCalls,
  roleCalls,
  type Sent,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { connectBoth, type Db, type RecordDb } from '../src/db/connect.ts';
import { type Client, createClient } from './client.ts';
import { ADMIN_PASSWORD, cheapHash, createEnvironment, prepareEnvironment } from './environment.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';
import { type Mailbox, startMailbox, startWebhook, type Webhook } from './mailbox.ts';

export { ADMIN_PASSWORD } from './environment.ts';
export const PASSWORD = 'Secret-77';

export type TestUser = Client & { userId: string; username: string; email: string; roleId: string; tenancyId: string };

let serial = 0;
/** Unique within a run, so that tests can share a hub. */
export const unique = (prefix: string): string => `${prefix}${Date.now().toString(36)}${(++serial).toString(36)}`;
export const uniquePhone = (): string =>
  `1${String(Date.now()).slice(-6)}${String(++serial % 10_000).padStart(4, '0')}`;

export const tenancyFields = () => ({
  tenancyName: unique('Tenant '),
  companyName: unique('Company '),
  contactName: 'Li Lei',
  phone: '13800138000',
  email: 'contact@example.com',
  companyAddress: '上海市 1 号楼',
});

type Registered = Omit<Sent<typeof deviceCalls.addDevice>, 'deviceId'> & { applicationId: string };

/** The common part of hubs in the test process and spawned hubs. */
type Running = Pick<HubProcess, 'url' | 'mqttPort' | 'errors'> & { stop: () => Promise<unknown> };

export type HubOf<Process extends Running> = {
  process: Process;
  /** Restarts the hub on the same data, after a stop or a kill. */
  start: (more?: Record<string, string>) => Promise<HubOf<Process>>;
  url: string;
  /** The hub's database, to change times in rows or to verify what is stored. */
  db: Db;
  /** The database of device records. */
  records: RecordDb;
  mailbox: Mailbox;
  webhook: Webhook;
  env: Record<string, string>;
  admin: Client;
  anonymous: Client;
  login: (username: string, password: string) => Promise<Client>;
  create: {
    tenancy: () => Promise<string>;
    application: (tenancyId: string) => Promise<string>;
    role: (tenancyId: string, menus: number[]) => Promise<string>;
    /** A custom category of the tenant, without functions. */
    category: (tenancyId: string) => Promise<string>;
    /** A product of the tenant, by default of the standard category "lamp". */
    product: (tenancyId: string, more?: Partial<Sent<typeof productCalls.addDeviceProduct>>) => Promise<string>;
    /** A registered device; `online` sets only its row, without a connection. */
    device: (of: Registered & { online?: 1 | 2 }) => Promise<string>;
    /** A logged-in user who has changed the first password. */
    user: (options: { tenancyId: string; menus?: number[]; roleId?: string }) => Promise<TestUser>;
  };
  close: () => Promise<void>;
};

export type Hub = HubOf<Running>;
/** A hub in separate processes, which can be killed. */
export type SpawnedHub = HubOf<HubProcess>;

const login = async (url: string, username: string, password: string): Promise<Client> => {
  const { token } = await createClient(url).ok(accountCalls.login, { username, password });
  return createClient(url, token);
};

let passwordHash: Promise<string> | undefined;

export const createFixtures = ({
  url,
  admin,
  db,
  mailbox,
}: Pick<Hub, 'url' | 'admin' | 'db' | 'mailbox'>): Hub['create'] => {
  const role = async (tenancyId: string, menus: number[]) =>
    (await admin.ok(roleCalls.addRole, { roleName: unique('role'), menus, tenancyId })).roleId;
  return {
    role,
    tenancy: async () => (await admin.ok(tenancyCalls.addTenancy, tenancyFields())).tenancyId,
    application: async (tenancyId) =>
      (await admin.ok(applicationCalls.addApplication, { applicationName: unique('app'), tenancyId })).applicationId,
    category: async (tenancyId) =>
      (await admin.ok(categoryCalls.addCategory, { categoryName: unique('cat-'), tenancyId })).categoryId,
    product: async (tenancyId, more = {}) => {
      const fields = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1 } as const;
      const sent = { productName: unique('product'), ...fields, tenancyId, ...more };
      return (await admin.ok(productCalls.addDeviceProduct, sent)).productId;
    },
    device: async ({ productId, applicationId, online = 2, ...more }) => {
      const deviceId = unique('device');
      await admin.ok(deviceCalls.addDevice, { deviceId, productId, applicationId, ...more });
      // As after a self-registration: the device may log in with its product's secret.
      const state = { online, secret_by_console: 0 as const };
      await db.updateTable('device').set(state).where('device_id', '=', deviceId).execute();
      return deviceId;
    },
    user: async ({ tenancyId, menus = [201, 202, 302], roleId: given }) => {
      const roleId = given ?? (await role(tenancyId, menus));
      const username = unique('user');
      const email = `${username}@example.com`;
      const { userId } = await admin.ok(userCalls.addUser, { username, name: 'Han Mei', email, roleId, tenancyId });
      // Skips the mail with the first password, which takes too long for each user.
      const unsent = db.updateTable('outbox').where('recipient_key', '=', email).where('attempts', '=', 0);
      const { numUpdatedRows } = await unsent.set({ state: 'sent', sent_at: Date.now() }).executeTakeFirst();
      if (Number(numUpdatedRows) === 0) mailbox.discardPassword(email);
      passwordHash ??= cheapHash(PASSWORD);
      const password = { password_hash: await passwordHash, must_change_password: 0 } as const;
      await db.updateTable('user_account').set(password).where('user_id', '=', userId).execute();
      return { ...(await login(url, username, PASSWORD)), userId, username, email, roleId, tenancyId };
    },
  };
};

type Launch<Process extends Running> = {
  first: (env: Record<string, string>) => Promise<Process>;
  again: (env: Record<string, string>) => Promise<Process>;
};

export const createHub = async <Process extends Running>(
  launch: Launch<Process>,
  extra: Record<string, string>,
  // A prepared database works only with the secret key of its preparation.
  where = extra.SECRET_KEY ? createEnvironment() : prepareEnvironment(extra.DATABASE_URL === '' ? null : undefined),
): Promise<HubOf<Process>> => {
  const environment = await where;
  const mailbox = await startMailbox();
  const webhook = await startWebhook();
  const env: Record<string, string> = {
    ...environment.env,
    ADMIN_PASSWORD,
    SMTP_URL: mailbox.url,
    SMS_WEBHOOK_URL: webhook.url,
    ...extra,
  };
  const database = { DATABASE_URL: env.DATABASE_URL || undefined, DATA_DIR: env.DATA_DIR ?? '' };
  const { db, records } = connectBoth(database);
  const close = async (): Promise<void> => {
    await db.destroy();
    await records.destroy();
    await mailbox.close();
    await webhook.close();
    await environment.dispose();
  };

  const at = (process: Process, env: Record<string, string>, token: string): HubOf<Process> => {
    const { url } = process;
    const admin = createClient(url, token);
    return {
      process,
      url,
      db,
      records,
      mailbox,
      webhook,
      env,
      admin,
      anonymous: createClient(url),
      login: (username, password) => login(url, username, password),
      create: createFixtures({ url, admin, db, mailbox }),
      start: async (more = {}) => at(await launch.again({ ...env, ...more }), { ...env, ...more }, token),
      close: async () => {
        await process.stop();
        await close();
      },
    };
  };
  let process: Process | undefined;
  try {
    process = await launch.first(env);
    const { token } = await login(process.url, 'admin', ADMIN_PASSWORD);
    return at(process, env, token);
  } catch (error) {
    await process?.stop();
    await close();
    throw error;
  }
};

/** A hub in separate processes, as `npm start` runs it. Use it in files `*.process.test.ts`. */
export const spawnHub = (
  extra: Record<string, string> = {},
  args: string[] = [],
  where?: Parameters<typeof createHub>[2],
  logFile?: string,
): Promise<SpawnedHub> => {
  const launch = (env: Record<string, string>) => startHubProcess(env, args, logFile);
  return createHub({ first: launch, again: launch }, extra, where);
};
