import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { account, blankable, email, id, idList, personName, phone, search } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const user = '/iot-hub/admin/system/user';

const userRow = z.object({
  userId: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  roleId: z.string(),
  roleName: z.string(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  lastLoginTime: z.string().nullable(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type UserRow = z.output<typeof userRow>;

/** Returned only to a user session, and only if no mail server is configured. */
const unmailedPassword = z.string();

export const userCalls = defineCalls({
  queryUserList: {
    method: 'GET',
    path: `${user}/queryUserList`,
    kind: 'query',
    access: 'user:read',
    summary: {
      zh_CN: '用户列表，按姓名、账号、手机号、角色查询',
      en_US: 'List users, by name, account, phone or role',
    },
    input: z.object({
      ...paging,
      ...sorting,
      name: search(),
      username: search(),
      phone: search(),
      roleId: blankable(id()),
      tenancyId: blankable(id()),
    }),
    output: pageOf(userRow),
  },
  getUserDetails: {
    method: 'GET',
    path: `${user}/getUserDetails`,
    kind: 'query',
    access: 'user:read',
    summary: { zh_CN: '用户详情', en_US: 'Get a user' },
    input: z.object({ userId: id() }),
    output: userRow,
  },
  addUser: {
    method: 'PUT',
    path: `${user}/addUser`,
    kind: 'mutation',
    access: 'user:write',
    summary: {
      zh_CN: '新建用户；密码发送到用户邮箱，未配置邮件服务器时在响应中返回一次。tenancyId 供平台用户使用',
      en_US:
        "Create a user; the password is sent to the user's e-mail, or returned once if no mail server is configured. tenancyId is for platform users",
    },
    input: z.object({
      username: account(),
      name: personName(),
      email: email(),
      phone: blankable(phone()),
      roleId: id(),
      tenancyId: blankable(id()),
    }),
    output: z.object({ userId: z.string(), password: unmailedPassword.optional() }),
  },
  setUserRole: {
    method: 'POST',
    path: `${user}/setUserRole`,
    kind: 'mutation',
    access: 'user:write',
    summary: {
      zh_CN: '更换用户的角色（须属于该用户的租户）；该用户的会话结束',
      en_US: "Change the role of a user, to one of the user's tenant; the user's sessions end",
    },
    input: z.object({ userId: id(), roleId: id() }),
    output: z.null(),
  },
  deleteUsers: {
    method: 'DELETE',
    path: `${user}/deleteUsers`,
    kind: 'mutation',
    access: 'user:write',
    summary: { zh_CN: '删除用户，全部成功或全部不变', en_US: 'Delete users, all or none' },
    input: z.object({ userIds: idList() }),
    output: z.object({ deleted: z.int() }),
    success: 'deleted',
  },
  resetPassword: {
    method: 'POST',
    path: `${user}/resetPassword`,
    kind: 'mutation',
    access: 'user:write',
    summary: {
      zh_CN: '扩展：向用户邮箱发送新的一次性密码，未配置邮件服务器时在响应中返回一次；该用户的会话结束',
      en_US:
        "Extension: send a new one-time password to a user by e-mail, or return it once if no mail server is configured; the user's sessions end",
    },
    input: z.object({ userId: id() }),
    output: z.object({ password: unmailedPassword }).nullable(),
  },
});
