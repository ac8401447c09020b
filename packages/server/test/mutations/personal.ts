import { accountCalls, CodePurpose, outboxCalls, personalCalls } from '@device-center/contract';
import { PASSWORD, type TestUser, unique, uniquePhone } from '../hub.ts';
import { JPEG, upload } from '../pictures.ts';
import type { Mutations } from './mutation-result.ts';

const NEW_PASSWORD = 'Brand-new-1';

/** Successful mutations of the caller's own account. */
export const personalMutations: Mutations = (hub, tenancyId, secrets) => {
  const createUser = () => hub.create.user({ tenancyId, menus: [201, 202, 302] });

  const codeFor = async (user: TestUser, email: string, type: CodePurpose): Promise<string> => {
    await user.ok(accountCalls.getVerificationCode, { email, type });
    const code = await hub.mailbox.readCode(email);
    secrets.push(code);
    return code;
  };

  const own = (user: TestUser) => ({ username: user.username, tenancyId, targetId: user.userId });

  return {
    'account.login': async () => {
      const user = await createUser();
      const answer = await hub.anonymous.call(accountCalls.login, { username: user.username, password: PASSWORD });
      if (answer.success) secrets.push(answer.data.token);
      return { answer, expected: own(user) };
    },
    'account.retrievePassword': async () => {
      const user = await createUser();
      await hub.anonymous.ok(accountCalls.getVerificationCode, { email: user.email });
      const code = await hub.mailbox.readCode(user.email);
      secrets.push(code, NEW_PASSWORD);
      const sent = { email: user.email, code, password: NEW_PASSWORD };
      return { answer: await hub.anonymous.call(accountCalls.retrievePassword, sent), expected: own(user) };
    },
    'personal.bindEmail': async () => {
      const user = await createUser();
      const proof = await codeFor(user, user.email, CodePurpose.provePresent);
      await user.ok(personalCalls.checkCode, { code: proof, info: user.email, type: CodePurpose.provePresent });
      const email = `${unique('next')}@example.com`;
      const answer = await user.call(personalCalls.bindEmail, {
        email,
        code: await codeFor(user, email, CodePurpose.bind),
      });
      return { answer, expected: { ...own(user), before: { email: user.email }, after: { email } } };
    },
    'personal.bindPhone': async () => {
      const user = await createUser();
      const phone = uniquePhone();
      await user.ok(accountCalls.getPhoneCode, { phone, type: CodePurpose.bind });
      const code = await hub.webhook.readCode(phone);
      secrets.push(code);
      const answer = await user.call(personalCalls.bindPhone, { phone, code, password: PASSWORD });
      return { answer, expected: { ...own(user), before: { phone: null }, after: { phone } } };
    },
    'outbox.revealOutboxMessage': async () => {
      const user = await createUser();
      secrets.push(await codeFor(user, user.email, CodePurpose.provePresent));
      const { list } = await hub.admin.ok(outboxCalls.queryOutboxList, { recipient: user.email });
      const { outboxId, recipient } = list[0] ?? { outboxId: '', recipient: '' };
      const answer = await hub.admin.call(outboxCalls.revealOutboxMessage, { outboxId });
      const after = { recipient, channel: 'mail' };
      return { answer, expected: { username: 'admin', tenancyId, targetId: outboxId, after } };
    },
    'personal.cancelAccount': async () => {
      const user = await createUser();
      const code = await codeFor(user, user.email, CodePurpose.cancelAccount);
      const answer = await user.call(personalCalls.cancelAccount, { code });
      return { answer, expected: { ...own(user), before: { username: user.username } } };
    },
    'personal.firstLoginUpdatePassword': async () => {
      const user = await createUser();
      const sent = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD };
      return { answer: await user.call(personalCalls.firstLoginUpdatePassword, sent), expected: own(user) };
    },
    'personal.updateSimpleUser': async () => {
      const user = await createUser();
      const answer = await user.call(personalCalls.updateSimpleUser, { userId: user.userId, name: '韩梅梅' });
      return { answer, expected: { ...own(user), before: { name: 'Han Mei' }, after: { name: '韩梅梅' } } };
    },
    'personal.updateUserHead': async () => {
      const user = await createUser();
      const answer = await upload({ ...user, url: hub.url }, personalCalls.updateUserHead, { bytes: JPEG });
      return { answer, expected: { ...own(user), after: { contentType: 'image/jpeg' } } };
    },
    'personal.loginOut': async () => {
      const user = await createUser();
      return { answer: await user.call(personalCalls.loginOut, {}), expected: own(user) };
    },
    'personal.endSession': async () => {
      const user = await createUser();
      await hub.login(user.username, PASSWORD);
      const other = (await user.ok(personalCalls.getSessions, {})).find(({ current }) => current === 0);
      const sessionId = other?.sessionId ?? '';
      const answer = await user.call(personalCalls.endSession, { sessionId });
      return { answer, expected: { ...own(user), before: { sessionId } } };
    },
    'personal.endOtherSessions': async () => {
      const user = await createUser();
      await hub.login(user.username, PASSWORD);
      return {
        answer: await user.call(personalCalls.endOtherSessions, {}),
        expected: { ...own(user), after: { ended: 1 } },
      };
    },
    'personal.savePreferences': async () => {
      const user = await createUser();
      const answer = await user.call(personalCalls.savePreferences, { preferences: { theme: 'dark' } });
      return { answer, expected: { ...own(user), after: { preferences: ['theme'] } } };
    },
  };
};
