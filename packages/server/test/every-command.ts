import {
  type Answer,
  accountCalls,
  applicationCalls,
  CodePurpose,
  personalCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { type Hub, PASSWORD, type TestUser, tenancyFields, unique, uniquePhone } from './hub.ts';

const NEW_PASSWORD = 'Brand-new-1';

export type Done = {
  answer: Answer<unknown>;
  /** Who did it, to what; undefined where there is nothing before or after. */
  expected: { username: string; tenancyId: string; targetId: string; before?: object; after?: object };
};

/**
 * How each command of the contract comes to succeed, by `slice.call`, and what its audit entry has to say.
 * The passwords, codes and tokens that come up on the way are put into `secrets`.
 */
export const everyCommand = (hub: Hub, tenancyId: string, secrets: string[]): Record<string, () => Promise<Done>> => {
  const makeUser = () => hub.has.user({ tenancyId, menus: [201, 202, 302] });

  const codeFor = async (user: TestUser, email: string, type: CodePurpose): Promise<string> => {
    await user.get(accountCalls.getVerificationCode, { email, type });
    const code = await hub.mailbox.readCode(email);
    secrets.push(code);
    return code;
  };

  const own = (user: TestUser) => ({ username: user.username, tenancyId, targetId: user.userId });

  return {
    'account.login': async () => {
      const user = await makeUser();
      const answer = await hub.stranger.call(accountCalls.login, { username: user.username, password: PASSWORD });
      if (answer.success) secrets.push(answer.data.token);
      return { answer, expected: own(user) };
    },
    'account.retrievePassword': async () => {
      const user = await makeUser();
      await hub.stranger.get(accountCalls.getVerificationCode, { email: user.email });
      const code = await hub.mailbox.readCode(user.email);
      secrets.push(code, NEW_PASSWORD);
      const sent = { email: user.email, code, password: NEW_PASSWORD };
      return { answer: await hub.stranger.call(accountCalls.retrievePassword, sent), expected: own(user) };
    },
    'personal.bindEmail': async () => {
      const user = await makeUser();
      const proof = await codeFor(user, user.email, CodePurpose.provePresent);
      await user.get(personalCalls.checkCode, { code: proof, info: user.email, type: CodePurpose.provePresent });
      const email = `${unique('next')}@example.com`;
      const answer = await user.call(personalCalls.bindEmail, {
        email,
        code: await codeFor(user, email, CodePurpose.bind),
      });
      return { answer, expected: { ...own(user), before: { email: user.email }, after: { email } } };
    },
    'personal.bindPhone': async () => {
      const user = await makeUser();
      const phone = uniquePhone();
      await user.get(accountCalls.getPhoneCode, { phone, type: CodePurpose.bind });
      const code = await hub.webhook.readCode(phone);
      secrets.push(code);
      const answer = await user.call(personalCalls.bindPhone, { phone, code });
      return { answer, expected: { ...own(user), before: { phone: null }, after: { phone } } };
    },
    'personal.cancelAccount': async () => {
      const user = await makeUser();
      const code = await codeFor(user, user.email, CodePurpose.cancelAccount);
      const answer = await user.call(personalCalls.cancelAccount, { code });
      return { answer, expected: { ...own(user), before: { username: user.username } } };
    },
    'personal.firstLoginUpdatePassword': async () => {
      const user = await makeUser();
      const sent = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD };
      return { answer: await user.call(personalCalls.firstLoginUpdatePassword, sent), expected: own(user) };
    },
    'personal.updateSimpleUser': async () => {
      const user = await makeUser();
      const answer = await user.call(personalCalls.updateSimpleUser, { userId: user.userId, name: '韩梅梅' });
      return { answer, expected: { ...own(user), before: { name: 'Han Mei' }, after: { name: '韩梅梅' } } };
    },
    'personal.updateUserHead': async () => {
      const user = await makeUser();
      const body = new FormData();
      body.set('multipartFile', new Blob([Uint8Array.from([0xff, 0xd8, 0xff, 0])]), 'x.jpg');
      const headers = { Authorization: user.token };
      const response = await fetch(hub.url + personalCalls.updateUserHead.path, { method: 'POST', headers, body });
      const answer = (await response.json()) as Answer<unknown>;
      return { answer, expected: { ...own(user), after: { contentType: 'image/jpeg', bytes: 4 } } };
    },
    'personal.loginOut': async () => {
      const user = await makeUser();
      return { answer: await user.call(personalCalls.loginOut, {}), expected: own(user) };
    },
    'personal.endSession': async () => {
      const user = await makeUser();
      await hub.login(user.username, PASSWORD);
      const other = (await user.get(personalCalls.getSessions, {})).find(({ current }) => current === 0);
      const sessionId = other?.sessionId ?? '';
      const answer = await user.call(personalCalls.endSession, { sessionId });
      return { answer, expected: { ...own(user), before: { sessionId } } };
    },
    'personal.endOtherSessions': async () => {
      const user = await makeUser();
      await hub.login(user.username, PASSWORD);
      return {
        answer: await user.call(personalCalls.endOtherSessions, {}),
        expected: { ...own(user), after: { ended: 1 } },
      };
    },
    'personal.savePreferences': async () => {
      const user = await makeUser();
      const answer = await user.call(personalCalls.savePreferences, { preferences: { theme: 'dark' } });
      return { answer, expected: { ...own(user), after: { preferences: ['theme'] } } };
    },
    'role.addRole': async () => {
      const roleName = unique('r');
      const answer = await hub.admin.call(roleCalls.addRole, { roleName, menus: [201], tenancyId });
      const targetId = answer.success ? answer.data.roleId : '';
      return { answer, expected: { username: 'admin', tenancyId, targetId, after: { roleName, menus: [201] } } };
    },
    'role.updateRole': async () => {
      const roleId = await hub.has.role(tenancyId, [201]);
      const after = { roleName: unique('r'), menus: [202, 302] };
      const answer = await hub.admin.call(roleCalls.updateRole, { roleId, ...after });
      return { answer, expected: { username: 'admin', tenancyId, targetId: roleId, before: { menus: [201] }, after } };
    },
    'role.deleteRole': async () => {
      const roleId = await hub.has.role(tenancyId, [201]);
      const answer = await hub.admin.call(roleCalls.deleteRole, { roleId });
      return { answer, expected: { username: 'admin', tenancyId, targetId: roleId, before: { menus: [201] } } };
    },
    'user.addUser': async () => {
      const username = unique('user');
      const after = {
        username,
        name: '李雷',
        email: `${username}@example.com`,
        roleId: await hub.has.role(tenancyId, [201]),
      };
      const answer = await hub.admin.call(userCalls.addUser, { ...after, tenancyId });
      secrets.push(await hub.mailbox.readPassword(after.email));
      const targetId = answer.success ? answer.data.userId : '';
      return { answer, expected: { username: 'admin', tenancyId, targetId, after } };
    },
    'user.setUserRole': async () => {
      const { userId, roleId } = await makeUser();
      const next = await hub.has.role(tenancyId, [201]);
      const answer = await hub.admin.call(userCalls.setUserRole, { userId, roleId: next });
      return {
        answer,
        expected: { username: 'admin', tenancyId, targetId: userId, before: { roleId }, after: { roleId: next } },
      };
    },
    'user.deleteUsers': async () => {
      const { userId, username } = await makeUser();
      const answer = await hub.admin.call(userCalls.deleteUsers, { userIds: [userId] });
      return { answer, expected: { username: 'admin', tenancyId, targetId: userId, before: { username } } };
    },
    'user.resetPassword': async () => {
      const user = await makeUser();
      const answer = await hub.admin.call(userCalls.resetPassword, { userId: user.userId });
      secrets.push(await hub.mailbox.readPassword(user.email));
      return { answer, expected: { ...own(user), username: 'admin' } };
    },
    'tenancy.addTenancy': async () => {
      const after = tenancyFields();
      const answer = await hub.admin.call(tenancyCalls.addTenancy, after);
      const made = answer.success ? answer.data.tenancyId : '';
      return { answer, expected: { username: 'admin', tenancyId: made, targetId: made, after } };
    },
    'tenancy.updateTenancy': async () => {
      const before = tenancyFields();
      const made = (await hub.admin.get(tenancyCalls.addTenancy, before)).tenancyId;
      const after = { ...tenancyFields(), enabled: 0 as const };
      const answer = await hub.admin.call(tenancyCalls.updateTenancy, { tenancyId: made, ...after });
      return {
        answer,
        expected: { username: 'admin', tenancyId: made, targetId: made, before: { ...before, enabled: 1 }, after },
      };
    },
    'tenancy.updateEnabledStatus': async () => {
      const made = await hub.has.tenancy();
      await hub.has.application(made);
      const answer = await hub.admin.call(tenancyCalls.updateEnabledStatus, { tenancyId: made, enabled: 0 });
      const after = { enabled: 0, disabledApplications: 1 };
      return {
        answer,
        expected: { username: 'admin', tenancyId: made, targetId: made, before: { enabled: 1 }, after },
      };
    },
    'tenancy.deleteTenancy': async () => {
      const made = await hub.has.tenancy();
      const answer = await hub.admin.call(tenancyCalls.deleteTenancy, { tenancyId: made });
      return { answer, expected: { username: 'admin', tenancyId: made, targetId: made, before: { enabled: 1 } } };
    },
    'tenancy.deleteTenancies': async () => {
      const made = await hub.has.tenancy();
      const answer = await hub.admin.call(tenancyCalls.deleteTenancies, { tenancyId: [made] });
      return { answer, expected: { username: 'admin', tenancyId: made, targetId: made, before: { enabled: 1 } } };
    },
    'application.addApplication': async () => {
      const applicationName = unique('a');
      const answer = await hub.admin.call(applicationCalls.addApplication, { applicationName, tenancyId });
      const targetId = answer.success ? answer.data.applicationId : '';
      return { answer, expected: { username: 'admin', tenancyId, targetId, after: { applicationName, enabled: 1 } } };
    },
    'application.updateApplication': async () => {
      const [before, after] = [{ applicationName: unique('a') }, { applicationName: unique('a') }];
      const made = await hub.admin.get(applicationCalls.addApplication, { ...before, tenancyId });
      const answer = await hub.admin.call(applicationCalls.updateApplication, { ...made, ...after });
      return { answer, expected: { username: 'admin', tenancyId, targetId: made.applicationId, before, after } };
    },
    'application.updateEnabledStatus': async () => {
      const applicationId = await hub.has.application(tenancyId);
      const answer = await hub.admin.call(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 });
      const changed = { before: { enabled: 1 }, after: { enabled: 0 } };
      return { answer, expected: { username: 'admin', tenancyId, targetId: applicationId, ...changed } };
    },
    'application.deleteApplication': async () => {
      const applicationId = await hub.has.application(tenancyId);
      const answer = await hub.admin.call(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
      return { answer, expected: { username: 'admin', tenancyId, targetId: applicationId, before: { enabled: 1 } } };
    },
  };
};
