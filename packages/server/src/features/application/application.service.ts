import type { applicationCalls, Input, Language, Output } from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { containsAny } from '../../db/contains.ts';
import { uniqueViolation } from '../../db/errors.ts';
import { readPage } from '../../db/paging.ts';
import { isOtherTenant, type Scope, scopeOf, tenancyForNew } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { removeMarkedApplications } from '../../domain/application/removal.ts';
import { requestDisconnect } from '../../domain/device/instructions.ts';
import { endTokensOf } from '../../domain/device/tokens.ts';
import { tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { iso } from '../../platform/time.ts';

type Calls = typeof applicationCalls;
type Deps = { db: Db; records: RecordDb; notifier: Pick<Notifier, 'send'> };

/** How long the call deletes devices itself; a job deletes the rest. */
const REMOVE_TIMEOUT_MS = 5_000;

const selectApplications = (db: Db, { tenancyId }: Scope) => {
  const rows = db
    .selectFrom('application')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'application.tenancy_id')
    .where('application.deleting', '=', 0)
    .selectAll('application')
    .select(['tenancy.tenancy_name', 'tenancy.enabled as tenancy_enabled'])
    .select((row) =>
      row
        .selectFrom('device')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('device.application_id', '=', 'application.application_id')
        .as('devices'),
    );
  return tenancyId === null ? rows : rows.where('application.tenancy_id', '=', tenancyId);
};

type ApplicationRow = Awaited<ReturnType<ReturnType<typeof selectApplications>['execute']>>[number];

const toAnswer = (language: Language, row: ApplicationRow): Output<Calls['getApplicationDetails']> => ({
  applicationId: row.application_id,
  applicationName: row.application_name,
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  tenancyEnabled: row.tenancy_enabled,
  enabled: row.enabled,
  deviceCount: Number(row.devices),
  creator: row.creator,
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

const auditOf = (row: ApplicationRow) => ({
  tenancyId: row.tenancy_id,
  targetId: row.application_id,
  targetName: row.application_name,
});

/** Decisions §2: revokes the tokens of the devices of a disabled or deleted application, and disconnects them. */
const disconnectDevices = async (
  db: Db,
  applicationIds: string[],
  reason: 'applicationDisabled' | 'deleted',
): Promise<void> => {
  await endTokensOf(db, 'application_id', applicationIds);
  await requestDisconnect(db, 'application', applicationIds, reason);
};

/** Hides the applications and frees their names. The placeholder is unique, because names have no colon. */
const markDeleting = async (db: Db, applicationIds: string[]): Promise<void> => {
  for (const applicationId of applicationIds)
    await db
      .updateTable('application')
      .set({ deleting: 1, enabled: 0, application_name_key: `deleting:${applicationId}`, updated_at: Date.now() })
      .where('application_id', '=', applicationId)
      .execute();
  await db.updateTable('product').set({ application_id: null }).where('application_id', 'in', applicationIds).execute();
};

/** Locks the tenant until the transaction ends, so that it is not disabled meanwhile; returns whether it is enabled. */
const lockEnabledTenancy = async (db: Db, tenancyId: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('tenancy')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('tenancy_id', '=', tenancyId)
    .where('enabled', '=', 1)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

export const createApplicationService = ({ db, records, notifier }: Deps) => {
  const find = async (db: Db, actor: Actor, applicationId: string): Promise<ApplicationRow> => {
    const row = await selectApplications(db, scopeOf(actor))
      .where('application.application_id', '=', applicationId)
      .executeTakeFirst();
    if (!row) throw new AppError('APPLICATION_NOT_FOUND', {}, 'applicationId');
    return row;
  };

  const mapConflicts = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (uniqueViolation(error)) throw new AppError('APPLICATION_NAME_TAKEN', {}, 'applicationName');
      throw error;
    }
  };

  return {
    async queryApplicationList(
      { actor, language }: Context,
      input: Input<Calls['queryApplicationList']>,
    ): Promise<Output<Calls['queryApplicationList']>> {
      let rows = selectApplications(db, scopeOf(actor, input.tenancyId));
      if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('application.application_id', '=', '');
      if (input.searchValue)
        rows = rows.where(
          containsAny(['application.application_name_key', 'application.application_id'], input.searchValue),
        );
      if (input.applicationId) rows = rows.where('application.application_id', '=', input.applicationId);
      if (input.enabled !== undefined) rows = rows.where('application.enabled', '=', input.enabled);
      const page = await readPage(
        db,
        {
          rows,
          createdAt: 'application.created_at',
          updatedAt: 'application.updated_at',
          unique: 'application.application_id',
        },
        input,
      );
      return { ...page, list: page.list.map((row) => toAnswer(language, row)) };
    },

    async getApplicationDetails(
      { actor, language }: Context,
      { applicationId }: Input<Calls['getApplicationDetails']>,
    ) {
      return toAnswer(language, await find(db, actor, applicationId));
    },

    async addApplication(context: Context, input: Input<Calls['addApplication']>) {
      const { actor } = context;
      const applicationId = newId();
      const now = Date.now();
      return mapConflicts(
        withAudit(db, context, async (db) => {
          const tenancyId = await tenancyForNew(db, actor, input.tenancyId);
          // In a disabled tenant it is created disabled, because it could not be enabled either.
          const enabled = (await lockEnabledTenancy(db, tenancyId)) ? 1 : 0;
          await db
            .insertInto('application')
            .values({
              application_id: applicationId,
              tenancy_id: tenancyId,
              application_name: input.applicationName,
              application_name_key: foldCase(input.applicationName),
              enabled,
              creator: actor.username,
              created_at: now,
              updated_at: now,
            })
            .execute();
          const after = { applicationName: input.applicationName, enabled };
          const audit = { tenancyId, targetId: applicationId, targetName: input.applicationName, after };
          return { result: { applicationId }, audit };
        }),
      );
    },

    async updateApplication(context: Context, input: Input<Calls['updateApplication']>): Promise<null> {
      const { applicationId, applicationName } = input;
      return mapConflicts(
        withAudit(db, context, async (db) => {
          const row = await find(db, context.actor, applicationId);
          await db
            .updateTable('application')
            .set({
              application_name: applicationName,
              application_name_key: foldCase(applicationName),
              updated_at: Date.now(),
            })
            .where('application_id', '=', applicationId)
            .execute();
          const before = { applicationName: row.application_name };
          return { result: null, audit: { ...auditOf(row), before, after: { applicationName } } };
        }),
      );
    },

    async updateEnabledStatus(context: Context, input: Input<Calls['updateEnabledStatus']>): Promise<null> {
      const { applicationId, enabled } = input;
      await withAudit(db, context, async (db) => {
        const row = await find(db, context.actor, applicationId);
        if (enabled === 1 && !(await lockEnabledTenancy(db, row.tenancy_id)))
          throw new AppError('APPLICATION_OF_CLOSED_TENANCY');
        await db
          .updateTable('application')
          .set({ enabled, updated_at: Date.now() })
          .where('application_id', '=', applicationId)
          .execute();
        if (enabled === 0) await disconnectDevices(db, [applicationId], 'applicationDisabled');
        return { result: null, audit: { ...auditOf(row), before: { enabled: row.enabled }, after: { enabled } } };
      });
      notifier.send('instruction');
      return null;
    },

    /**
     * Spec §4: deletes the devices too. The application is hidden at once; its devices and their records are deleted in
     * batches.
     */
    async deleteApplication(context: Context, input: Input<Calls['deleteApplication']>) {
      const applicationIds = [...new Set(input.applicationIds)].sort();
      const deleted = await withAudit(db, context, async (db) => {
        const rows = await selectApplications(db, scopeOf(context.actor))
          .where('application.application_id', 'in', applicationIds)
          .execute();
        if (rows.length !== applicationIds.length) throw new AppError('APPLICATION_NOT_FOUND', {}, 'applicationIds');
        await markDeleting(db, applicationIds);
        await disconnectDevices(db, applicationIds, 'deleted');
        const audit = rows.map((row) => ({
          ...auditOf(row),
          before: { applicationName: row.application_name, enabled: row.enabled, devices: Number(row.devices) },
        }));
        return { result: rows.length, audit };
      });
      notifier.send('instruction');
      await removeMarkedApplications(db, records, REMOVE_TIMEOUT_MS);
      return { deleted };
    },
  };
};

export type ApplicationService = ReturnType<typeof createApplicationService>;
