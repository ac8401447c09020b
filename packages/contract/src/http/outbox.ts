import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, flag, id, search } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

/** `kept`: no SMTP server or webhook is configured, so the message can only be viewed here. */
export const outboxStates = ['pending', 'sent', 'kept', 'failed'] as const;

const outboxRow = z.object({
  outboxId: z.string(),
  channel: z.enum(['mail', 'sms']),
  recipient: z.string(),
  subject: z.string(),
  state: z.enum(outboxStates),
  attempts: z.int(),
  error: z.string(),
  createTime: z.string(),
  sentTime: z.string().nullable(),
});
export type OutboxRow = z.output<typeof outboxRow>;

export const outboxCalls = defineCalls({
  queryOutboxList: {
    method: 'GET',
    path: '/iot-hub/admin/system/outbox/queryOutboxList',
    kind: 'query',
    access: 'outbox:read',
    platformOnly: true,
    summary: {
      zh_CN: '扩展：已发送或保留的邮件和短信',
      en_US: 'Extension: list e-mails and text messages, sent or stored',
    },
    input: z.object({
      ...paging,
      sortMode: sorting.sortMode,
      recipient: search(),
      state: blankable(z.enum(outboxStates)),
      channel: blankable(z.enum(['mail', 'sms'])),
    }),
    output: pageOf(outboxRow),
  },
  getOutboxMessage: {
    method: 'GET',
    path: '/iot-hub/admin/system/outbox/getOutboxMessage',
    kind: 'query',
    access: 'outbox:read',
    platformOnly: true,
    summary: {
      zh_CN: '扩展：一条消息及其正文，其中的验证码和密码已隐藏；hidden 表示可由 revealOutboxMessage 查看',
      en_US: 'Extension: get a message with codes and passwords masked; hidden: revealOutboxMessage can show one',
    },
    input: z.object({ outboxId: id() }),
    output: outboxRow.extend({ body: z.string(), hidden: flag() }),
  },
  revealOutboxMessage: {
    method: 'POST',
    path: '/iot-hub/admin/system/outbox/revealOutboxMessage',
    kind: 'mutation',
    access: 'outbox:read',
    platformOnly: true,
    requiresUserSession: true,
    summary: {
      zh_CN: '扩展：查看一条消息中的验证码或密码；须拥有全部菜单，写入审计日志，收件人下次登录时会被告知',
      en_US:
        'Extension: show the code or password in a message; requires all menus, is audited, and the recipient is notified at the next login',
    },
    input: z.object({ outboxId: id() }),
    output: z.object({ body: z.string() }),
  },
});
