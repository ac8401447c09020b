import {
  accountCalls,
  applicationCalls,
  categoryCalls,
  deviceCalls,
  personalCalls,
  productCalls,
  roleCalls,
  type Sent,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { connect, connectRecords, type Db, type RecordDb } from '../src/db/connect.ts';
import { type Client, createClient } from './client.ts';
import { freshPlace, type HubProcess, startHubProcess } from './hub-process.ts';
import { type Mailbox, startMailbox, startWebhook, type Webhook } from './mailbox.ts';

export const ADMIN_PASSWORD = 'Adm1n-pass';
export const PASSWORD = 'Secret-77';

export type TestUser = Client & { userId: string; username: string; email: string; roleId: string; tenancyId: string };

let serial = 0;
/** Unique within a run, so that tests can share a hub. */
export const unique = (prefix: string): string => `${prefix}${Date.now().toString(36)}${(++serial).toString(36)}`;
export const uniquePhone = (): string => `1${String(Date.now()).slice(-6)}${String(++serial).padStart(4, '0')}`;

export const tenancyFields = () => ({
  tenancyName: unique('Tenant '),
  companyName: unique('Company '),
  contactName: 'Li Lei',
  phone: '13800138000',
  email: 'contact@example.com',
  companyAddress: '上海市 1 号楼',
});

type Registered = Omit<Sent<typeof deviceCalls.addDevice>, 'deviceId'> & { applicationId: string };

export type Hub = {
  process: HubProcess;
  url: string;
  /** The same database, to make time pass for a row or to look at what is really there. */
  db: Db;
  /** And what devices sent. */
  records: RecordDb;
  mailbox: Mailbox;
  webhook: Webhook;
  env: Record<string, string>;
  admin: Client;
  stranger: Client;
  login: (username: string, password: string) => Promise<Client>;
  has: {
    tenancy: () => Promise<string>;
    application: (tenancyId: string) => Promise<string>;
    role: (tenancyId: string, menus: number[]) => Promise<string>;
    /** A custom category of the tenant, without functions. */
    category: (tenancyId: string) => Promise<string>;
    /** A product of the tenant, made from the standard lamp unless told otherwise. */
    product: (tenancyId: string, more?: Partial<Sent<typeof productCalls.addDeviceProduct>>) => Promise<string>;
    /** Registered; `online` only by its row, without a connection. */
    device: (of: Registered & { online?: 1 | 2 }) => Promise<string>;
    /** A user who has changed the first password and is signed in. */
    user: (options: { tenancyId: string; menus?: number[]; roleId?: string }) => Promise<TestUser>;
  };
  close: () => Promise<void>;
};

/** A whole hub, as `npm start` runs it, with a real mail server beside it. */
export const startHub = async (
  extra: Record<string, string> = {},
  args: string[] = [],
  freshly = freshPlace(),
): Promise<Hub> => {
  const place = await freshly;
  const mailbox = await startMailbox();
  const webhook = await startWebhook();
  const env: Record<string, string> = {
    ...place.env,
    ADMIN_PASSWORD,
    SMTP_URL: mailbox.url,
    SMS_WEBHOOK_URL: webhook.url,
    ...extra,
  };
  const process = await startHubProcess(env, args);
  const { url } = process;
  const where = { DATABASE_URL: env.DATABASE_URL || undefined, DATA_DIR: env.DATA_DIR ?? '' };
  const db = connect(where);
  const records = connectRecords(where);
  const stranger = createClient(url);
  const login = async (username: string, password: string): Promise<Client> => {
    const { token } = await stranger.get(accountCalls.login, { username, password });
    return createClient(url, token);
  };
  const admin = await login('admin', ADMIN_PASSWORD);

  const role = async (tenancyId: string, menus: number[]) =>
    (await admin.get(roleCalls.addRole, { roleName: unique('role'), menus, tenancyId })).roleId;

  return {
    process,
    url,
    db,
    records,
    mailbox,
    webhook,
    env,
    admin,
    stranger,
    login,
    has: {
      tenancy: async () => (await admin.get(tenancyCalls.addTenancy, tenancyFields())).tenancyId,
      application: async (tenancyId) =>
        (await admin.get(applicationCalls.addApplication, { applicationName: unique('app'), tenancyId })).applicationId,
      role,
      category: async (tenancyId) =>
        (await admin.get(categoryCalls.addCategory, { categoryName: unique('cat-'), tenancyId })).categoryId,
      product: async (tenancyId, more = {}) => {
        const fields = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1 } as const;
        const sent = { productName: unique('product'), ...fields, tenancyId, ...more };
        return (await admin.get(productCalls.addDeviceProduct, sent)).productId;
      },
      device: async ({ productId, applicationId, online = 2, ...more }) => {
        const deviceId = unique('device');
        await admin.get(deviceCalls.addDevice, { deviceId, productId, applicationId, ...more });
        if (online === 1) await db.updateTable('device').set({ online }).where('device_id', '=', deviceId).execute();
        return deviceId;
      },
      user: async ({ tenancyId, menus = [201, 202, 302], roleId: given }) => {
        const roleId = given ?? (await role(tenancyId, menus));
        const username = unique('user');
        const email = `${username}@example.com`;
        const { userId } = await admin.get(userCalls.addUser, { username, name: 'Han Mei', email, roleId, tenancyId });
        const oldPassword = await mailbox.readPassword(email);
        const first = await login(username, oldPassword);
        await first.get(personalCalls.firstLoginUpdatePassword, { oldPassword, newPassword: PASSWORD });
        return { ...first, userId, username, email, roleId, tenancyId };
      },
    },
    close: async () => {
      await process.stop();
      await db.destroy();
      await records.destroy();
      await mailbox.close();
      await webhook.close();
      await place.dispose();
    },
  };
};
