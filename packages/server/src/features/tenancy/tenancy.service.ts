import type { Input, Language, Output, tenancyCalls } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../db/errors.ts';
import { readPage } from '../../db/paging.ts';
import { lockTenancies } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { requestDisconnect } from '../../domain/device/instructions.ts';
import { endTokensOf } from '../../domain/device/tokens.ts';
import { tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { iso } from '../../platform/time.ts';
import type { SessionService } from '../session/session.service.ts';

type TenancyDeps = {
  db: Db;
  sessions: Pick<SessionService, 'endOfTenancy'>;
  notifier: Pick<Notifier, 'send'>;
  /** Deletes stored firmware files, whose rows are deleted with their tenant. */
  removeFirmware: (fileIds: string[]) => Promise<void>;
};
type Calls = typeof tenancyCalls;

const selectTenancies = (db: Db) =>
  db
    .selectFrom('tenancy')
    .selectAll('tenancy')
    .select((row) => [
      row
        .selectFrom('application')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('application.tenancy_id', '=', 'tenancy.tenancy_id')
        .where('application.deleting', '=', 0)
        .as('applications'),
      row
        .selectFrom('application')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('application.tenancy_id', '=', 'tenancy.tenancy_id')
        .where('application.deleting', '=', 1)
        .as('deleting_applications'),
      row
        .selectFrom('application')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('application.tenancy_id', '=', 'tenancy.tenancy_id')
        .where('application.enabled', '=', 1)
        .as('enabled_applications'),
      row
        .selectFrom('user_account')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('user_account.tenancy_id', '=', 'tenancy.tenancy_id')
        .as('users'),
    ]);

type TenancyRow = Awaited<ReturnType<ReturnType<typeof selectTenancies>['execute']>>[number];
type Fields = Input<Calls['addTenancy']>;

const columnsOf = (fields: Fields) => ({
  tenancy_name: fields.tenancyName,
  tenancy_name_key: foldCase(fields.tenancyName),
  company_name: fields.companyName,
  company_name_key: foldCase(fields.companyName),
  contact_name: fields.contactName,
  phone: fields.phone,
  email: fields.email,
  company_address: fields.companyAddress,
});

const fieldsOf = (row: TenancyRow) => ({
  tenancyName: row.tenancy_name,
  companyName: row.company_name,
  contactName: row.contact_name,
  phone: row.phone,
  email: row.email,
  companyAddress: row.company_address,
  enabled: row.enabled,
});

const toAnswer = (language: Language, row: TenancyRow): Output<Calls['getTenancyDetails']> => ({
  tenancyId: row.tenancy_id,
  ...fieldsOf(row),
  tenancyName: tenancyNameIn(language, row),
  builtin: row.builtin,
  applicationCount: Number(row.applications ?? 0),
  enabledApplicationCount: Number(row.enabled_applications ?? 0),
  userCount: Number(row.users ?? 0),
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

/** An application that is being deleted still needs its tenant, although it is hidden. */
const hasLinks = (row: TenancyRow): boolean =>
  Number(row.applications) + Number(row.deleting_applications) + Number(row.users) > 0;

const auditOf = (row: TenancyRow) => ({
  tenancyId: row.tenancy_id,
  targetId: row.tenancy_id,
  targetName: row.tenancy_name,
});

export const createTenancyService = ({ db, sessions, notifier, removeFirmware }: TenancyDeps) => {
  const find = async (db: Db, tenancyId: string): Promise<TenancyRow> => {
    const row = await selectTenancies(db).where('tenancy.tenancy_id', '=', tenancyId).executeTakeFirst();
    if (!row) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
    return row;
  };

  const findEditable = async (db: Db, tenancyId: string): Promise<TenancyRow> => {
    const row = await find(db, tenancyId);
    if (row.builtin === 1) throw new AppError('PLATFORM_PROTECTED');
    return row;
  };

  const mapConflicts = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (uniqueViolation(error)) throw new AppError('TENANCY_NAME_TAKEN', {}, 'tenancyName');
      throw error;
    }
  };

  /** Spec §4: disabling a tenant disables all its applications; enabling it again does not enable them. */
  const setEnabled = async (db: Db, tenancyId: string, enabled: 0 | 1): Promise<number> => {
    await db
      .updateTable('tenancy')
      .set({ enabled, updated_at: Date.now() })
      .where('tenancy_id', '=', tenancyId)
      .execute();
    if (enabled === 1) return 0;
    const { numUpdatedRows } = await db
      .updateTable('application')
      .set({ enabled: 0, updated_at: Date.now() })
      .where('tenancy_id', '=', tenancyId)
      .where('enabled', '=', 1)
      .executeTakeFirst();
    await sessions.endOfTenancy(db, tenancyId);
    await endTokensOf(db, 'tenancy_id', [tenancyId]);
    await requestDisconnect(db, 'tenancy', [tenancyId], 'tenancyClosed');
    return Number(numUpdatedRows);
  };

  const remove = async (context: Context, requestedIds: string[]): Promise<number> => {
    const tenancyIds = [...new Set(requestedIds)].sort();
    const { deleted, fileIds } = await withAudit(db, context, async (db) => {
      await lockTenancies(db, tenancyIds);
      const rows = await selectTenancies(db).where('tenancy.tenancy_id', 'in', tenancyIds).execute();
      if (rows.length !== tenancyIds.length) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
      for (const row of rows) {
        if (row.builtin === 1) throw new AppError('PLATFORM_PROTECTED');
        if (hasLinks(row)) throw new AppError('TENANCY_HAS_LINKS');
      }
      // A device has an application, so products of a tenant without applications have no devices.
      await db.deleteFrom('product').where('tenancy_id', 'in', tenancyIds).execute();
      await db.deleteFrom('category').where('tenancy_id', 'in', tenancyIds).execute();
      await db.deleteFrom('role').where('tenancy_id', 'in', tenancyIds).execute();
      // Versions are deleted with their products; the stored bytes of their files remain.
      const files = await db
        .selectFrom('firmware_file')
        .select('file_id')
        .where('tenancy_id', 'in', tenancyIds)
        .execute();
      await db.deleteFrom('tenancy').where('tenancy_id', 'in', tenancyIds).execute();
      return {
        result: { deleted: rows.length, fileIds: files.map((row) => row.file_id) },
        audit: rows.map((row) => ({ ...auditOf(row), before: fieldsOf(row) })),
      };
    });
    await removeFirmware(fileIds);
    return deleted;
  };

  /** A row created between the check and the deletion violates a foreign key; the second check reports it. */
  const removeWithRetry = async (context: Context, requestedIds: string[]): Promise<number> => {
    try {
      return await remove(context, requestedIds);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      return remove(context, requestedIds);
    }
  };

  return {
    async queryTenancyList(
      { language }: Context,
      input: Input<Calls['queryTenancyList']>,
    ): Promise<Output<Calls['queryTenancyList']>> {
      let rows = selectTenancies(db);
      if (input.tenancyName) rows = rows.where(contains('tenancy.tenancy_name_key', input.tenancyName));
      if (input.companyName) rows = rows.where(contains('tenancy.company_name_key', input.companyName));
      if (input.enabled !== undefined) rows = rows.where('tenancy.enabled', '=', input.enabled);
      const page = await readPage(
        db,
        { rows, createdAt: 'tenancy.created_at', updatedAt: 'tenancy.updated_at', unique: 'tenancy.tenancy_id' },
        input,
      );
      return { ...page, list: page.list.map((row) => toAnswer(language, row)) };
    },

    async getTenancyDetails({ language }: Context, { tenancyId }: Input<Calls['getTenancyDetails']>) {
      return toAnswer(language, await find(db, tenancyId));
    },

    async addTenancy(context: Context, input: Input<Calls['addTenancy']>) {
      const tenancyId = newId();
      const now = Date.now();
      return mapConflicts(
        withAudit(db, context, async (db) => {
          await db
            .insertInto('tenancy')
            .values({
              tenancy_id: tenancyId,
              ...columnsOf(input),
              enabled: 1,
              builtin: 0,
              created_at: now,
              updated_at: now,
            })
            .execute();
          const audit = { tenancyId, targetId: tenancyId, targetName: input.tenancyName, after: input };
          return { result: { tenancyId }, audit };
        }),
      );
    },

    async updateTenancy(context: Context, input: Input<Calls['updateTenancy']>): Promise<null> {
      const { tenancyId, enabled, ...fields } = input;
      await mapConflicts(
        withAudit(db, context, async (db) => {
          const row = await findEditable(db, tenancyId);
          await db
            .updateTable('tenancy')
            .set({ ...columnsOf(fields), updated_at: Date.now() })
            .where('tenancy_id', '=', tenancyId)
            .execute();
          if (enabled !== undefined && enabled !== row.enabled) await setEnabled(db, tenancyId, enabled);
          const after = { ...fields, enabled: enabled ?? row.enabled };
          return { result: null, audit: { ...auditOf(row), before: fieldsOf(row), after } };
        }),
      );
      notifier.send('instruction');
      return null;
    },

    async updateEnabledStatus(context: Context, { tenancyId, enabled }: Input<Calls['updateEnabledStatus']>) {
      const result = await withAudit(db, context, async (db) => {
        const row = await findEditable(db, tenancyId);
        const disabledApplications = await setEnabled(db, tenancyId, enabled);
        const audit = { ...auditOf(row), before: { enabled: row.enabled }, after: { enabled, disabledApplications } };
        return { result: { disabledApplications }, audit };
      });
      notifier.send('instruction');
      return result;
    },

    async deleteTenancy(context: Context, { tenancyId }: Input<Calls['deleteTenancy']>): Promise<null> {
      await removeWithRetry(context, [tenancyId]);
      return null;
    },

    async deleteTenancies(context: Context, { tenancyId }: Input<Calls['deleteTenancies']>) {
      return { deleted: await removeWithRetry(context, tenancyId) };
    },
  };
};

export type TenancyService = ReturnType<typeof createTenancyService>;
