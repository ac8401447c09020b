import { applicationCalls, quotaCalls, roleCalls, tenancyCalls, userCalls } from '@device-center/contract';
import { tenancyFields, unique } from '../hub.ts';
import type { Mutations } from './mutation-result.ts';

/** Successful mutations of roles, users, tenants and applications. */
export const systemMutations: Mutations = (hub, tenancyId, secrets) => {
  const createUser = () => hub.create.user({ tenancyId, menus: [201, 202, 302] });

  return {
    'role.addRole': async () => {
      const roleName = unique('r');
      const answer = await hub.admin.call(roleCalls.addRole, { roleName, menus: [201], tenancyId });
      const targetId = answer.success ? answer.data.roleId : '';
      return { answer, expected: { username: 'admin', tenancyId, targetId, after: { roleName, menus: [201] } } };
    },
    'role.updateRole': async () => {
      const roleId = await hub.create.role(tenancyId, [201]);
      const after = { roleName: unique('r'), menus: [202, 302] };
      const answer = await hub.admin.call(roleCalls.updateRole, { roleId, ...after });
      return { answer, expected: { username: 'admin', tenancyId, targetId: roleId, before: { menus: [201] }, after } };
    },
    'role.deleteRole': async () => {
      const roleId = await hub.create.role(tenancyId, [201]);
      const answer = await hub.admin.call(roleCalls.deleteRole, { roleId });
      return { answer, expected: { username: 'admin', tenancyId, targetId: roleId, before: { menus: [201] } } };
    },
    'user.addUser': async () => {
      const username = unique('user');
      const after = {
        username,
        name: '李雷',
        email: `${username}@example.com`,
        roleId: await hub.create.role(tenancyId, [201]),
      };
      const answer = await hub.admin.call(userCalls.addUser, { ...after, tenancyId });
      secrets.push(await hub.mailbox.readPassword(after.email));
      const targetId = answer.success ? answer.data.userId : '';
      return { answer, expected: { username: 'admin', tenancyId, targetId, after } };
    },
    'user.setUserRole': async () => {
      const { userId, roleId } = await createUser();
      const next = await hub.create.role(tenancyId, [201]);
      const answer = await hub.admin.call(userCalls.setUserRole, { userId, roleId: next });
      return {
        answer,
        expected: { username: 'admin', tenancyId, targetId: userId, before: { roleId }, after: { roleId: next } },
      };
    },
    'user.deleteUsers': async () => {
      const { userId, username } = await createUser();
      const answer = await hub.admin.call(userCalls.deleteUsers, { userIds: [userId] });
      return { answer, expected: { username: 'admin', tenancyId, targetId: userId, before: { username } } };
    },
    'user.resetPassword': async () => {
      const user = await createUser();
      const answer = await hub.admin.call(userCalls.resetPassword, { userId: user.userId });
      secrets.push(await hub.mailbox.readPassword(user.email));
      return { answer, expected: { username: 'admin', tenancyId, targetId: user.userId } };
    },
    'quota.updateTenancyQuotas': async () => {
      const after = { messagesPerSecond: 70, uploadBytes: 3_000_000_000 };
      const answer = await hub.admin.call(quotaCalls.updateTenancyQuotas, { tenancyId, ...after });
      return { answer, expected: { username: 'admin', tenancyId, targetId: tenancyId, after } };
    },
    'tenancy.addTenancy': async () => {
      const after = tenancyFields();
      const answer = await hub.admin.call(tenancyCalls.addTenancy, after);
      const created = answer.success ? answer.data.tenancyId : '';
      return { answer, expected: { username: 'admin', tenancyId: created, targetId: created, after } };
    },
    'tenancy.updateTenancy': async () => {
      const before = tenancyFields();
      const created = (await hub.admin.ok(tenancyCalls.addTenancy, before)).tenancyId;
      const after = { ...tenancyFields(), enabled: 0 as const };
      const answer = await hub.admin.call(tenancyCalls.updateTenancy, { tenancyId: created, ...after });
      return {
        answer,
        expected: {
          username: 'admin',
          tenancyId: created,
          targetId: created,
          before: { ...before, enabled: 1 },
          after,
        },
      };
    },
    'tenancy.updateEnabledStatus': async () => {
      const created = await hub.create.tenancy();
      await hub.create.application(created);
      const answer = await hub.admin.call(tenancyCalls.updateEnabledStatus, { tenancyId: created, enabled: 0 });
      const after = { enabled: 0, disabledApplications: 1 };
      return {
        answer,
        expected: { username: 'admin', tenancyId: created, targetId: created, before: { enabled: 1 }, after },
      };
    },
    'tenancy.deleteTenancy': async () => {
      const created = await hub.create.tenancy();
      const answer = await hub.admin.call(tenancyCalls.deleteTenancy, { tenancyId: created });
      return { answer, expected: { username: 'admin', tenancyId: created, targetId: created, before: { enabled: 1 } } };
    },
    'tenancy.deleteTenancies': async () => {
      const created = await hub.create.tenancy();
      const answer = await hub.admin.call(tenancyCalls.deleteTenancies, { tenancyId: [created] });
      return { answer, expected: { username: 'admin', tenancyId: created, targetId: created, before: { enabled: 1 } } };
    },
    'application.addApplication': async () => {
      const applicationName = unique('a');
      const answer = await hub.admin.call(applicationCalls.addApplication, { applicationName, tenancyId });
      const targetId = answer.success ? answer.data.applicationId : '';
      return { answer, expected: { username: 'admin', tenancyId, targetId, after: { applicationName, enabled: 1 } } };
    },
    'application.updateApplication': async () => {
      const [before, after] = [{ applicationName: unique('a') }, { applicationName: unique('a') }];
      const created = await hub.admin.ok(applicationCalls.addApplication, { ...before, tenancyId });
      const answer = await hub.admin.call(applicationCalls.updateApplication, { ...created, ...after });
      return { answer, expected: { username: 'admin', tenancyId, targetId: created.applicationId, before, after } };
    },
    'application.updateEnabledStatus': async () => {
      const applicationId = await hub.create.application(tenancyId);
      const answer = await hub.admin.call(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 });
      const changed = { before: { enabled: 1 }, after: { enabled: 0 } };
      return { answer, expected: { username: 'admin', tenancyId, targetId: applicationId, ...changed } };
    },
    'application.deleteApplication': async () => {
      const applicationId = await hub.create.application(tenancyId);
      const answer = await hub.admin.call(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
      return { answer, expected: { username: 'admin', tenancyId, targetId: applicationId, before: { enabled: 1 } } };
    },
  };
};
