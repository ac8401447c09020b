import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import {
  accountAtLogin,
  blankable,
  code,
  email,
  flag,
  formOption,
  password,
  passwordAsTyped,
  phone,
} from '../fields.ts';

/** Purpose of a verification code; a code is valid only for its purpose. */
export const CodePurpose = { recover: 1, provePresent: 2, bind: 3, cancelAccount: 4 } as const;
export type CodePurpose = (typeof CodePurpose)[keyof typeof CodePurpose];

export const codePurpose = () => formOption([1, 2, 3, 4]);

export const CODE_RESEND_SECONDS = 60;

/** The user's profile, as returned by the login and the personal center. */
export const profile = {
  userId: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  image: z.string(),
  roleId: z.string(),
  roleName: z.string(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  isFirst: flag(),
};

const user = '/iot-hub/admin/user';

export const accountCalls = defineCalls({
  login: {
    method: 'POST',
    path: `${user}/login`,
    kind: 'mutation',
    access: 'public',
    summary: {
      zh_CN: '用账号和密码登录；后续请求在 Authorization 中携带 token',
      en_US: 'Log in with account and password; send the token in Authorization afterwards',
    },
    input: z.object({ username: accountAtLogin(), password: passwordAsTyped() }),
    output: z.object({
      token: z.string(),
      ...profile,
      menus: z.array(z.int()),
      /** Extension: administrators who viewed a code or password sent to this user since the last login. */
      reveals: z.array(z.object({ subject: z.string(), revealedBy: z.string(), time: z.string() })),
    }),
  },
  retrievePassword: {
    method: 'POST',
    path: `${user}/retrievePassword`,
    kind: 'mutation',
    access: 'public',
    summary: {
      zh_CN: '用发送到邮箱（或手机，扩展）的验证码设置新密码',
      en_US: 'Set a new password with a code sent to the e-mail, or to the phone (extension)',
    },
    input: z
      .object({ email: blankable(email()), phone: blankable(phone()), code: code(), password: password() })
      .refine((sent) => (sent.email === undefined) !== (sent.phone === undefined), {
        error: 'REQUIRED',
        path: ['email'],
      }),
    output: z.null(),
  },
  getVerificationCode: {
    method: 'POST',
    path: `${user}/getVerificationCode`,
    kind: 'mutation',
    access: 'public',
    summary: {
      zh_CN: '发送邮箱验证码。type：1 找回密码，2 验证当前地址，3 绑定，4 注销账号；2-4 需要 token',
      en_US:
        'Send a verification code by e-mail. type: 1 recover password, 2 verify current address, 3 bind, 4 close account; 2-4 require the token',
    },
    input: z.object({ email: email(), type: codePurpose().default(1) }),
    output: z.null(),
  },
  getPhoneCode: {
    method: 'POST',
    path: `${user}/getPhoneCode`,
    kind: 'mutation',
    access: 'public',
    summary: {
      zh_CN: '发送短信验证码；type 同 getVerificationCode',
      en_US: 'Send a verification code by text message; type as in getVerificationCode',
    },
    input: z.object({ phone: phone(), type: codePurpose().default(1) }),
    output: z.null(),
  },
});
