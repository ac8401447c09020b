import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, id, search, time } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const auditRow = z.object({
  auditId: z.string(),
  createTime: z.string(),
  userId: z.string(),
  username: z.string(),
  tenancyId: z.string(),
  ip: z.string(),
  requestId: z.string(),
  /** Slice and call, such as `role.addRole`. */
  action: z.string(),
  targetId: z.string(),
  targetName: z.string(),
  before: z.json(),
  after: z.json(),
});
export type AuditRow = z.output<typeof auditRow>;

/** Maximum number of entries in a list; filter by time to find older ones. */
export const AUDIT_TOTAL_MAX = 10_000;

export const auditCalls = defineCalls({
  queryAuditLogList: {
    method: 'GET',
    path: '/iot-hub/admin/system/audit/queryAuditLogList',
    kind: 'query',
    access: 'audit:read',
    summary: { zh_CN: '扩展：审计日志', en_US: 'Extension: audit log' },
    input: z.object({
      ...paging,
      sortMode: sorting.sortMode,
      username: search(),
      action: search(),
      target: search(),
      startTime: blankable(time()),
      endTime: blankable(time()),
      tenancyId: blankable(id()),
    }),
    output: pageOf(auditRow),
  },
});
