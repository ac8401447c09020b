import { AUDIT_TOTAL_MAX, type auditCalls, type Input, type Output } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import { readPage } from '../../db/paging.ts';
import { isOtherTenant, scopeOf } from '../../db/scope.ts';
import { storedJson } from '../../db/stored.ts';
import type { Context } from '../../platform/actor.ts';
import { iso } from '../../platform/time.ts';

type Calls = typeof auditCalls;

export const createAuditService = ({ db }: { db: Db }) => ({
  async queryAuditLogList(
    { actor }: Context,
    input: Input<Calls['queryAuditLogList']>,
  ): Promise<Output<Calls['queryAuditLogList']>> {
    let rows = db.selectFrom('audit_log').selectAll();
    const { tenancyId } = scopeOf(actor, input.tenancyId);
    if (tenancyId !== null) rows = rows.where('tenancy_id', '=', tenancyId);
    if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('audit_id', '=', '');
    if (input.username) rows = rows.where(contains('username_key', input.username));
    if (input.action) rows = rows.where(contains('action_key', input.action));
    if (input.target) rows = rows.where(contains('target_key', input.target));
    if (input.startTime !== undefined) rows = rows.where('created_at', '>=', input.startTime);
    if (input.endTime !== undefined) rows = rows.where('created_at', '<', input.endTime);
    const page = await readPage(
      db,
      { rows, createdAt: 'created_at', unique: 'audit_id', totalMax: AUDIT_TOTAL_MAX },
      input,
    );
    return {
      ...page,
      list: page.list.map((row) => ({
        auditId: row.audit_id,
        createTime: iso(row.created_at),
        userId: row.user_id,
        username: row.username,
        tenancyId: row.tenancy_id,
        ip: row.ip,
        requestId: row.request_id,
        action: row.action,
        targetId: row.target_id,
        targetName: row.target_name,
        before: storedJson(row.before_json, 'audit_log', row.audit_id),
        after: storedJson(row.after_json, 'audit_log', row.audit_id),
      })),
    };
  },
});
