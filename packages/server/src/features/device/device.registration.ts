import { setImmediate } from 'node:timers/promises';
import {
  type deviceCalls,
  errorText,
  type Input,
  issueText,
  type Output,
  type RejectedRow,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { uniqueViolation } from '../../db/errors.ts';
import { type Scope, scopeOf } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { lockUsableApplication } from '../../domain/application/applications.ts';
import { attributeColumns } from '../../domain/device/attributes.ts';
import { visibleDevices } from '../../domain/device/devices.ts';
import { findReserved, removeReserved } from '../../domain/device/ids.ts';
import { assertMayRegister, recordTakenIds } from '../../domain/device/taken-ids.ts';
import { auditOfProduct, findProduct, lockProducts, type ProductRecord } from '../../domain/product/products.ts';
import type { UploadedFile } from '../../http/parse-input.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newSecret, nextSequenceId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { readDeviceFile } from './device.file.ts';
import { type FindApplication, type NewDevice, type RejectField, readRow, withDefaults } from './device.row.ts';

type Calls = typeof deviceCalls;

const REJECTED_SHOWN = 1_000;
/** Rows checked before the event loop may handle other requests. */
const ROW_BATCH = 200;
/** Ids of one statement, because both databases limit its parameters. */
const ID_BATCH = 5_000;

const isTaken = (error: unknown): boolean => uniqueViolation(error)?.startsWith('device.') ?? false;

/** Looks only among the devices that the scope can see: only a registration reveals an id of another tenant. */
const findTakenIds = async (db: Db, { tenancyId }: Scope, deviceIds: string[]): Promise<Set<string>> => {
  const taken = new Set<string>();
  for (let from = 0; from < deviceIds.length; from += ID_BATCH) {
    const batch = deviceIds.slice(from, from + ID_BATCH);
    const rows = await visibleDevices(db, { tenancyId }, [])
      .select('device_id')
      .where('device_id', 'in', batch)
      .execute();
    for (const row of rows) taken.add(row.device_id);
  }
  return taken;
};

/** Looks up each application once, and remembers the error of an unusable one. */
const createApplicationFinder = async (db: Db, actor: Actor, product: ProductRecord, defaultId: string | undefined) => {
  const known = new Map<string, AppError | null>();
  const find = async (rowApplicationId: string | undefined): Promise<string> => {
    const applicationId = rowApplicationId ?? defaultId ?? product.application_id;
    if (applicationId === null) throw new AppError('PRODUCT_WITHOUT_APPLICATION', {}, 'applicationId');
    const before = known.get(applicationId);
    if (before) throw before;
    if (before === undefined) {
      try {
        await lockUsableApplication(db, actor, product.tenancy_id, applicationId);
        known.set(applicationId, null);
      } catch (error) {
        if (error instanceof AppError) known.set(applicationId, error);
        throw error;
      }
    }
    return applicationId;
  };
  // An unusable application for all rows is one error, not one per row.
  if (defaultId !== undefined) await find(undefined);
  return find;
};

type IndexedRow = { index: number; fields: Record<string, unknown> };

/** Sorts rows into those that can be registered and those that cannot, with the reason. */
const checkRows = async (
  db: Db,
  { actor, language }: Pick<Context, 'actor' | 'language'>,
  rows: IndexedRow[],
  findApplication: FindApplication,
) => {
  const refused: RejectedRow[] = [];
  const valid: { index: number; device: NewDevice }[] = [];
  const seen = new Set<string>();
  for (const [position, { index, fields }] of rows.entries()) {
    if (position > 0 && position % ROW_BATCH === 0) await setImmediate();
    const deviceId = String(fields.deviceId ?? '').slice(0, 64);
    const reject: RejectField = (field, message) => refused.push({ index, deviceId, field, message });
    const device = await readRow(fields, findApplication, language, reject);
    if (!device) continue;
    // Ids that differ only in case are valid for devices, but in a sheet most likely a mistake.
    const key = foldCase(device.deviceId);
    if (seen.has(key)) reject('deviceId', issueText({ code: 'custom', message: 'DUPLICATE' }, language));
    else valid.push({ index, device });
    seen.add(key);
  }
  const taken = await findTakenIds(
    db,
    scopeOf(actor),
    valid.map(({ device }) => device.deviceId),
  );
  const takenRow = ({ index, device }: (typeof valid)[number]): RejectedRow => ({
    index,
    deviceId: device.deviceId,
    field: 'deviceId',
    message: errorText('DEVICE_ID_TAKEN', language),
  });
  const [free, occupied] = [
    valid.filter(({ device }) => !taken.has(device.deviceId)),
    valid.filter(({ device }) => taken.has(device.deviceId)),
  ];
  refused.push(...occupied.map(takenRow));
  return { free, refused: refused.sort((left, right) => left.index - right.index), takenRow };
};

export const createDeviceRegistration = ({ db, secrets }: { db: Db; secrets: SecretBox }) => {
  const rowOf = (product: ProductRecord, device: NewDevice, secret: string, now: number) => ({
    device_id: device.deviceId,
    registration_no: nextSequenceId(),
    tenancy_id: product.tenancy_id,
    product_id: product.product_id,
    application_id: device.applicationId,
    device_name: device.deviceName,
    device_name_key: foldCase(device.deviceName),
    device_id_key: foldCase(device.deviceId),
    ...attributeColumns(device),
    version_number: '',
    online: 2 as const,
    parent_id: '',
    mock: 0 as const,
    secret_sealed: secrets.seal(secret),
    secret_by_console: 1 as const,
    created_at: now,
    updated_at: now,
  });

  const requireRegistrationAllowed = async ({ actor }: Context): Promise<void> => {
    if (!actor.platform) await assertMayRegister(db, actor.userId);
  };

  /** Records attempts on other tenants' ids. Platform operators see all tenants, so a rejection reveals nothing to them. */
  const recordForeignIds = async (context: Context, deviceIds: string[]): Promise<void> => {
    const { actor } = context;
    if (actor.platform || deviceIds.length === 0) return;
    const own = await findTakenIds(db, scopeOf(actor), deviceIds);
    const ids = deviceIds.filter((deviceId) => !own.has(deviceId));
    if (ids.length === 0) return;
    const { userId: callerId, tenancyId } = actor;
    await recordTakenIds(db, context, { callerId, tenancyId, code: 'DEVICE_ID_TAKEN', ids });
  };

  return {
    async addDevice(context: Context, input: Input<Calls['addDevice']>): Promise<Output<Calls['addDevice']>> {
      const { productId } = input;
      const { deviceId, ...attributes } = withDefaults(input);
      const { deviceName } = attributes;
      const deviceSecret = newSecret();
      await requireRegistrationAllowed(context);
      try {
        return await withAudit(db, context, async (db) => {
          await lockProducts(db, [productId]);
          const product = await findProduct(db, context.actor, productId);
          const findApplication = await createApplicationFinder(db, context.actor, product, undefined);
          const applicationId = await findApplication(input.applicationId);
          const device = { deviceId, ...attributes, applicationId };
          await db
            .insertInto('device')
            .values(rowOf(product, device, deviceSecret, Date.now()))
            .execute();
          const reserved = await findReserved(db, product.tenancy_id, [deviceId]);
          if (reserved.size > 0) throw new AppError('DEVICE_ID_TAKEN', {}, 'deviceId');
          const after = { productId, ...attributes, applicationId };
          const audit = { tenancyId: product.tenancy_id, targetId: deviceId, targetName: deviceName, after };
          return { result: { deviceId, deviceName, deviceSecret }, audit };
        });
      } catch (error) {
        const taken = isTaken(error) ? new AppError('DEVICE_ID_TAKEN', {}, 'deviceId') : error;
        if (taken instanceof AppError && taken.code === 'DEVICE_ID_TAKEN') await recordForeignIds(context, [deviceId]);
        throw taken;
      }
    },

    async checkDeviceFile(
      context: Context,
      { productId, applicationId }: Input<Calls['checkDeviceFile']>,
      { bytes }: UploadedFile,
    ): Promise<Output<Calls['checkDeviceFile']>> {
      const { actor, language } = context;
      const product = await findProduct(db, actor, productId);
      const { rows, refused: headerErrors } = await readDeviceFile(bytes, language);
      const findApplication = await createApplicationFinder(db, actor, product, applicationId);
      const { free, refused } = await checkRows(db, context, rows, findApplication);
      return {
        total: rows.length,
        valid: free.length,
        refused: [...headerErrors, ...refused].slice(0, REJECTED_SHOWN),
        devices: free.map(({ index, device }) => ({ line: index, ...device })),
      };
    },

    async registerDevices(
      context: Context,
      input: Input<Calls['registerDevices']>,
    ): Promise<Output<Calls['registerDevices']>> {
      const { productId, applicationId, importKey: mergeKey = '' } = input;
      await requireRegistrationAllowed(context);
      const foreign: string[] = [];
      const result = await withAudit(db, context, async (db) => {
        await lockProducts(db, [productId]);
        const product = await findProduct(db, context.actor, productId);
        const findApplication = await createApplicationFinder(db, context.actor, product, applicationId);
        const rows = input.devices.map((fields, index) => ({ index, fields }));
        const { free, refused, takenRow } = await checkRows(db, context, rows, findApplication);

        const now = Date.now();
        const created = free.map(({ device }) => ({ device, secret: newSecret() }));
        const values = created.map(({ device, secret }) => rowOf(product, device, secret, now));
        const inserted =
          values.length === 0
            ? []
            : await db
                .insertInto('device')
                .values(values)
                .onConflict((conflict) => conflict.column('device_id').doNothing())
                .returning('device_id')
                .execute();
        // A concurrent registration may have taken an id since the check.
        const ownIds = await removeReserved(
          db,
          product.tenancy_id,
          inserted.map((row) => row.device_id),
        );
        const others = free.filter(({ device }) => !ownIds.has(device.deviceId));
        refused.push(...others.map(takenRow));
        refused.sort((left, right) => left.index - right.index);
        foreign.splice(0, foreign.length, ...others.map(({ device }) => device.deviceId));
        const registered = created
          .filter(({ device }) => ownIds.has(device.deviceId))
          .map(({ device: { deviceId, deviceName }, secret }) => ({ deviceId, deviceName, deviceSecret: secret }));
        const after = { applicationId: applicationId ?? '', registered: registered.length, refused: refused.length };
        return {
          result: { registered, refused },
          audit: registered.length === 0 && mergeKey === '' ? [] : { ...auditOfProduct(product), after, mergeKey },
        };
      });
      await recordForeignIds(context, foreign);
      return result;
    },
  };
};
