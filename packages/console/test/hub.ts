import {
  type Answer,
  accountCalls,
  applicationCalls,
  type Call,
  type Failure,
  type Output,
  outboxCalls,
  personalCalls,
  roleCalls,
  type Sent,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { inject } from 'vitest';

export type LoginAnswer = Output<typeof accountCalls.login>;

const request = async <C extends Call>(token: string, call: C, sent: Sent<C>): Promise<Answer<Output<C>>> => {
  const inQuery = call.method === 'GET';
  const query = new URLSearchParams(Object.entries(sent).map(([key, value]) => [key, String(value)]));
  // The window's own fetch, so that the test's own requests are not recorded.
  const response = await (document.defaultView ?? window).fetch(inQuery ? `${call.path}?${query}` : call.path, {
    method: call.method,
    headers: { Authorization: token, 'Accept-Language': 'en-US', 'Content-Type': 'application/json' },
    ...(inQuery ? {} : { body: JSON.stringify(sent) }),
  });
  return (await response.json()) as Answer<Output<C>>;
};

/** A hub client for the test itself; anonymous without a token. */
export const client = (token = '') => ({
  ok: async <C extends Call>(call: C, sent: Sent<C>): Promise<Output<C>> => {
    const answer = await request(token, call, sent);
    if (answer.success) return answer.data;
    throw new Error(`${call.path}: ${answer.code} ${answer.message} ${JSON.stringify(answer.details)}`);
  },
  error: async <C extends Call>(call: C, sent: Sent<C>): Promise<Failure> => {
    const answer = await request(token, call, sent);
    if (answer.success) throw new Error(`${call.path} was expected to fail`);
    return answer;
  },
});
export type Client = ReturnType<typeof client>;

let cachedAdminSession: Promise<LoginAnswer> | undefined;
/** One session of the administrator for all tests of a worker. */
export const adminSession = (): Promise<LoginAnswer> => {
  cachedAdminSession ??= client().ok(accountCalls.login, { username: 'admin', password: inject('adminPassword') });
  return cachedAdminSession;
};
export const admin = async (): Promise<Client> => client((await adminSession()).token);

/** Returns a unique name: all tests share one hub, in two workers. */
export const unique = (prefix: string): string => prefix + crypto.randomUUID().replaceAll('-', '').slice(0, 10);
export const uniquePhone = (): string =>
  `1${Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => byte % 10).join('')}`;
export const uniqueEmail = (): string => `${unique('mail')}@example.com`;

export const tenantFields = () => ({
  tenancyName: unique('Tenant '),
  companyName: unique('Company '),
  contactName: 'Ann Lee',
  phone: '13800138000',
  email: 'contact@example.com',
  companyAddress: 'Road 1',
});

export const createTenant = async (): Promise<{ tenancyId: string; tenancyName: string }> => {
  const fields = tenantFields();
  const { tenancyId } = await (await admin()).ok(tenancyCalls.addTenancy, fields);
  return { tenancyId, tenancyName: fields.tenancyName };
};

export const createRole = async (tenancyId: string, menus: number[]): Promise<{ roleId: string; roleName: string }> => {
  const roleName = unique('role');
  const { roleId } = await (await admin()).ok(roleCalls.addRole, { roleName, menus, tenancyId });
  return { roleId, roleName };
};

export const createApplication = async (tenancyId: string) => {
  const applicationName = unique('app');
  const { applicationId } = await (await admin()).ok(applicationCalls.addApplication, { applicationName, tenancyId });
  return { applicationId, applicationName };
};

/** Returns the pattern's first group in the newest matching message to an address. */
export const findInOutbox = async (recipient: string, pattern: RegExp): Promise<string> => {
  const reader = await admin();
  const { list } = await reader.ok(outboxCalls.queryOutboxList, { recipient });
  for (const { outboxId } of list) {
    const found = pattern.exec((await reader.ok(outboxCalls.revealOutboxMessage, { outboxId })).body)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`no message to ${recipient} matches ${pattern}`);
};
export const findCodeFor = (address: string): Promise<string> => findInOutbox(address, /\b(\d{6})\b/);

type UserOptions = { tenancyId: string; roleId: string; phone?: string };

/** A user logged in with the initial password, which still has to be changed. */
export const createFirstLoginUser = async ({ tenancyId, roleId, phone = '' }: UserOptions) => {
  const user = { username: unique('user'), name: unique('P'), email: uniqueEmail(), phone };
  await (await admin()).ok(userCalls.addUser, { ...user, roleId, tenancyId });
  const password = await findInOutbox(user.email, /Initial password: (\S+)/);
  const session = await client().ok(accountCalls.login, { username: user.username, password });
  return { ...user, userId: session.userId, password, session };
};

/** A user who has changed the initial password. */
export const createUser = async (options: UserOptions) => {
  const user = await createFirstLoginUser(options);
  const newPassword = 'Secret-77';
  const { ok } = client(user.session.token);
  await ok(personalCalls.firstLoginUpdatePassword, { oldPassword: user.password, newPassword });
  return { ...user, password: newPassword, session: { ...user.session, isFirst: 0 as const } };
};

/** A user with these menus, in a new tenant by default. */
export const createUserWithMenus = async (menus: number[], tenancyId?: string) => {
  const tenant = tenancyId ?? (await createTenant()).tenancyId;
  const role = await createRole(tenant, menus);
  return { ...(await createUser({ tenancyId: tenant, roleId: role.roleId })), ...role, tenancyId: tenant };
};
