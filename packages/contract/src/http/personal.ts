import { z } from 'zod';
import { boundedJson } from '../bounded.ts';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import {
  blankable,
  code,
  email,
  emailOrPhone,
  flag,
  id,
  password,
  passwordAsTyped,
  personName,
  phone,
} from '../fields.ts';
import { codePurpose, profile } from './account.ts';

export const PICTURE_MAX_BYTES = 5 * 1024 * 1024;
/** Maximum width and height in pixels. */
export const PICTURE_MAX_SIDE = 3000;

const personal = '/iot-hub/admin/user/personal';

const PREFERENCES_MAX = 64 * 1024;

/** Free-form settings of the console: theme, density, columns, saved views. */
const anyPreferences = z.record(z.string().max(100), z.json());
const preferences = boundedJson(anyPreferences, PREFERENCES_MAX, 'PREFERENCES_TOO_LARGE');

const session = z.object({
  sessionId: z.string(),
  createTime: z.string(),
  lastUsedTime: z.string(),
  expireTime: z.string(),
  ip: z.string(),
  userAgent: z.string(),
  current: flag(),
});

export const personalCalls = defineCalls({
  checkCode: {
    method: 'POST',
    path: `${personal}/checkCode`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: {
      zh_CN: '校验验证码但不消耗；info 为接收地址',
      en_US: 'Verify a code without consuming it; info is the address it was sent to',
    },
    input: z.object({ code: code(), info: emailOrPhone(), type: codePurpose() }),
    output: z.null(),
  },
  bindEmail: {
    method: 'POST',
    path: `${personal}/bindEmail`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: {
      zh_CN:
        '用发送到该邮箱的验证码绑定；还须登录密码 password（扩展），或十分钟内通过 type 2 的 checkCode；所有已绑定的地址会收到通知',
      en_US:
        'Bind an e-mail with the code sent to it, and with the password (extension) or a checkCode of type 2 within ten minutes; every bound address is notified',
    },
    input: z.object({ email: email(), code: code(), password: blankable(passwordAsTyped()) }),
    output: z.null(),
  },
  bindPhone: {
    method: 'POST',
    path: `${personal}/bindPhone`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: {
      zh_CN:
        '用发送到该手机的验证码绑定；还须登录密码 password（扩展），或十分钟内通过 type 2 的 checkCode；所有已绑定的地址会收到通知',
      en_US:
        'Bind a phone with the code sent to it, and with the password (extension) or a checkCode of type 2 within ten minutes; every bound address is notified',
    },
    input: z.object({ phone: phone(), code: code(), password: blankable(passwordAsTyped()) }),
    output: z.null(),
  },
  cancelAccount: {
    method: 'DELETE',
    path: `${personal}/cancelAccount`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: { zh_CN: '用 type 4 的验证码注销自己的账号', en_US: 'Close your own account with a code of type 4' },
    input: z.object({ code: code() }),
    output: z.null(),
    success: 'deleted',
  },
  firstLoginUpdatePassword: {
    method: 'POST',
    path: `${personal}/firstLoginUpdatePassword`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    duringFirstLogin: true,
    summary: {
      zh_CN: '修改自己的密码；其他会话立即结束',
      en_US: 'Change your own password; all your other sessions end',
    },
    input: z.object({ newPassword: password(), oldPassword: passwordAsTyped() }),
    output: z.null(),
  },
  getPersonalMessage: {
    method: 'GET',
    path: `${personal}/getPersonalMessage`,
    kind: 'query',
    access: 'signed-in',
    requiresUserSession: true,
    duringFirstLogin: true,
    summary: { zh_CN: '当前用户的信息', en_US: 'Get the current user' },
    input: z.object({}),
    output: z.object({
      ...profile,
      lastLoginTime: z.string().nullable(),
      createTime: z.string(),
    }),
  },
  updateSimpleUser: {
    method: 'POST',
    path: `${personal}/updateSimpleUser`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: { zh_CN: '修改自己的姓名', en_US: 'Change your own name' },
    input: z.object({ userId: id(), name: personName() }),
    output: z.null(),
  },
  updateUserHead: {
    method: 'POST',
    path: `${personal}/updateUserHead`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: {
      zh_CN: '上传头像：按内容判断的 jpg、jpeg、png 或 bmp',
      en_US: 'Upload your own avatar: jpg, jpeg, png or bmp, detected by content',
    },
    input: z.object({}),
    file: { field: 'multipartFile', maxBytes: PICTURE_MAX_BYTES },
    output: z.object({ image: z.string() }),
  },
  getUserHead: {
    method: 'GET',
    path: `${personal}/getUserHead`,
    kind: 'query',
    access: 'signed-in',
    requiresUserSession: true,
    summary: {
      zh_CN: '扩展：头像的内容，地址见 image',
      en_US: 'Extension: download an avatar, addressed by `image`',
    },
    input: z.object({ pictureId: id() }),
    answersFile: true,
    output: z.null(),
  },
  loginOut: {
    method: 'GET',
    path: `${personal}/loginOut`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    duringFirstLogin: true,
    summary: { zh_CN: '结束当前会话', en_US: 'Log out: end the current session' },
    input: z.object({}),
    output: z.null(),
  },
  getSessions: {
    method: 'GET',
    path: `${personal}/getSessions`,
    kind: 'query',
    access: 'signed-in',
    requiresUserSession: true,
    summary: { zh_CN: '扩展：自己的会话', en_US: 'Extension: list your own sessions' },
    input: z.object({}),
    output: z.array(session),
  },
  endSession: {
    method: 'DELETE',
    path: `${personal}/endSession`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: { zh_CN: '扩展：结束自己的一个会话', en_US: 'Extension: end one of your own sessions' },
    input: z.object({ sessionId: id() }),
    output: z.null(),
  },
  endOtherSessions: {
    method: 'DELETE',
    path: `${personal}/endOtherSessions`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: {
      zh_CN: '扩展：结束自己的其他所有会话',
      en_US: 'Extension: end all your own sessions except the current one',
    },
    input: z.object({}),
    output: z.object({ ended: z.int() }),
  },
  getPreferences: {
    method: 'GET',
    path: `${personal}/getPreferences`,
    kind: 'query',
    access: 'signed-in',
    requiresUserSession: true,
    summary: { zh_CN: '扩展：自己的偏好设置', en_US: 'Extension: get your own preferences' },
    input: z.object({}),
    output: z.object({ preferences: z.record(z.string(), z.json()) }),
  },
  savePreferences: {
    method: 'POST',
    path: `${personal}/savePreferences`,
    kind: 'mutation',
    access: 'signed-in',
    requiresUserSession: true,
    summary: { zh_CN: '扩展：保存自己的偏好设置（JSON）', en_US: 'Extension: save your own preferences (JSON)' },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({ preferences }),
    output: z.null(),
  },
});
