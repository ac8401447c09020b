import { setImmediate } from 'node:timers/promises';
import {
  type deviceCalls,
  errorText,
  type Input,
  issueText,
  type Output,
  type RefusedRow,
} from '@device-center/contract';
import { holdUsableApplication } from '../../db/applications.ts';
import { change } from '../../db/change.ts';
import type { Db } from '../../db/connect.ts';
import { factColumns } from '../../db/device-facts.ts';
import { keepUnreserved, reservedAmong } from '../../db/device-ids.ts';
import { devicesShown } from '../../db/devices.ts';
import { uniqueViolation } from '../../db/errors.ts';
import { auditOfProduct, findProduct, holdProducts, type ProductRecord } from '../../db/products.ts';
import { type Scope, scopeOf } from '../../db/scope.ts';
import { admitRegistrar, noteTaken } from '../../db/taken-ids.ts';
import type { UploadedFile } from '../../http/parse-input.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { fold } from '../../platform/fold-case.ts';
import { newSecret, nextSequenceId } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { readDeviceFile } from './device.file.ts';
import { type FindApplication, type NewDevice, type Refuse, readRow, withFacts } from './device.row.ts';

type Calls = typeof deviceCalls;

const REFUSED_SHOWN = 1_000;
/** Judged between two pauses, so that other requests are answered meanwhile. */
const ROWS_AT_ONCE = 200;
/** Ids looked up by one statement; both engines have a limit of parameters. */
const IDS_AT_ONCE = 5_000;

const isTaken = (error: unknown): boolean => uniqueViolation(error)?.startsWith('device.') ?? false;

/** Among the devices that the scope can see: only a registration reveals that another tenant has an id. */
const takenAmong = async (db: Db, { tenancyId }: Scope, deviceIds: string[]): Promise<Set<string>> => {
  const taken = new Set<string>();
  for (let from = 0; from < deviceIds.length; from += IDS_AT_ONCE) {
    const some = deviceIds.slice(from, from + IDS_AT_ONCE);
    const rows = await devicesShown(db, { tenancyId }, []).select('device_id').where('device_id', 'in', some).execute();
    for (const row of rows) taken.add(row.device_id);
  }
  return taken;
};

/** Finds each application once, and remembers why it cannot be used. */
const createApplicationFinder = async (db: Db, actor: Actor, product: ProductRecord, asked: string | undefined) => {
  const known = new Map<string, AppError | null>();
  const find = async (own: string | undefined): Promise<string> => {
    const applicationId = own ?? asked ?? product.application_id;
    if (applicationId === null) throw new AppError('PRODUCT_WITHOUT_APPLICATION', {}, 'applicationId');
    const before = known.get(applicationId);
    if (before) throw before;
    if (before === undefined) {
      try {
        await holdUsableApplication(db, actor, product.tenancy_id, applicationId);
        known.set(applicationId, null);
      } catch (error) {
        if (error instanceof AppError) known.set(applicationId, error);
        throw error;
      }
    }
    return applicationId;
  };
  // The one that is meant for all rows is refused once, and not with each of them.
  if (asked !== undefined) await find(undefined);
  return find;
};

type IndexedRow = { index: number; fields: Record<string, unknown> };

/** Sorts rows into those that can be registered and those that cannot, with the reason. */
const judgeRows = async (
  db: Db,
  { actor, language }: Pick<Context, 'actor' | 'language'>,
  rows: IndexedRow[],
  findApplication: FindApplication,
) => {
  const refused: RefusedRow[] = [];
  const good: { index: number; device: NewDevice }[] = [];
  const seen = new Set<string>();
  for (const [place, { index, fields }] of rows.entries()) {
    if (place > 0 && place % ROWS_AT_ONCE === 0) await setImmediate();
    const deviceId = String(fields.deviceId ?? '').slice(0, 64);
    const refuse: Refuse = (field, message) => refused.push({ index, deviceId, field, message });
    const device = await readRow(fields, findApplication, language, refuse);
    if (!device) continue;
    // Ids that differ in case alone are a slip in a sheet, though devices may have them.
    const key = fold(device.deviceId);
    if (seen.has(key)) refuse('deviceId', issueText({ code: 'custom', message: 'DUPLICATE' }, language));
    else good.push({ index, device });
    seen.add(key);
  }
  const taken = await takenAmong(
    db,
    scopeOf(actor),
    good.map(({ device }) => device.deviceId),
  );
  const takenRow = ({ index, device }: (typeof good)[number]): RefusedRow => ({
    index,
    deviceId: device.deviceId,
    field: 'deviceId',
    message: errorText('DEVICE_ID_TAKEN', language),
  });
  const [free, not] = [
    good.filter(({ device }) => !taken.has(device.deviceId)),
    good.filter(({ device }) => taken.has(device.deviceId)),
  ];
  refused.push(...not.map(takenRow));
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
    device_name_key: fold(device.deviceName),
    device_id_key: fold(device.deviceId),
    ...factColumns(device),
    version_number: '',
    online: 2 as const,
    parent_id: '',
    mock: 0 as const,
    secret_sealed: secrets.seal(secret),
    secret_by_console: 1 as const,
    created_at: now,
    updated_at: now,
  });

  const admit = async ({ actor }: Context): Promise<void> => {
    if (!actor.platform) await admitRegistrar(db, actor.userId);
  };

  /** A platform operator sees every tenant, and learns nothing by a refusal. */
  const noteForeign = async (context: Context, deviceIds: string[]): Promise<void> => {
    const { actor } = context;
    if (actor.platform || deviceIds.length === 0) return;
    const own = await takenAmong(db, scopeOf(actor), deviceIds);
    const ids = deviceIds.filter((deviceId) => !own.has(deviceId));
    if (ids.length === 0) return;
    const { userId: callerId, tenancyId } = actor;
    await noteTaken(db, context, { callerId, tenancyId, code: 'DEVICE_ID_TAKEN', ids });
  };

  return {
    async addDevice(context: Context, input: Input<Calls['addDevice']>): Promise<Output<Calls['addDevice']>> {
      const { productId } = input;
      const { deviceId, ...described } = withFacts(input);
      const { deviceName } = described;
      const deviceSecret = newSecret();
      await admit(context);
      try {
        return await change(db, context, async (db) => {
          await holdProducts(db, [productId]);
          const product = await findProduct(db, context.actor, productId);
          const findApplication = await createApplicationFinder(db, context.actor, product, undefined);
          const applicationId = await findApplication(input.applicationId);
          const device = { deviceId, ...described, applicationId };
          await db
            .insertInto('device')
            .values(rowOf(product, device, deviceSecret, Date.now()))
            .execute();
          const reserved = await reservedAmong(db, product.tenancy_id, [deviceId]);
          if (reserved.size > 0) throw new AppError('DEVICE_ID_TAKEN', {}, 'deviceId');
          const after = { productId, ...described, applicationId };
          const audit = { tenancyId: product.tenancy_id, targetId: deviceId, targetName: deviceName, after };
          return { result: { deviceId, deviceName, deviceSecret }, audit };
        });
      } catch (error) {
        const taken = isTaken(error) ? new AppError('DEVICE_ID_TAKEN', {}, 'deviceId') : error;
        if (taken instanceof AppError && taken.code === 'DEVICE_ID_TAKEN') await noteForeign(context, [deviceId]);
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
      const { rows, refused: wrongHeader } = await readDeviceFile(bytes, language);
      const findApplication = await createApplicationFinder(db, actor, product, applicationId);
      const { free, refused } = await judgeRows(db, context, rows, findApplication);
      return {
        total: rows.length,
        valid: free.length,
        refused: [...wrongHeader, ...refused].slice(0, REFUSED_SHOWN),
        devices: free.map(({ index, device }) => ({ line: index, ...device })),
      };
    },

    async registerDevices(
      context: Context,
      input: Input<Calls['registerDevices']>,
    ): Promise<Output<Calls['registerDevices']>> {
      const { productId, applicationId, importKey: mergeKey = '' } = input;
      await admit(context);
      const foreign: string[] = [];
      const result = await change(db, context, async (db) => {
        await holdProducts(db, [productId]);
        const product = await findProduct(db, context.actor, productId);
        const findApplication = await createApplicationFinder(db, context.actor, product, applicationId);
        const rows = input.devices.map((fields, index) => ({ index, fields }));
        const { free, refused, takenRow } = await judgeRows(db, context, rows, findApplication);

        const now = Date.now();
        const made = free.map(({ device }) => ({ device, secret: newSecret() }));
        const values = made.map(({ device, secret }) => rowOf(product, device, secret, now));
        const inserted =
          values.length === 0
            ? []
            : await db
                .insertInto('device')
                .values(values)
                .onConflict((conflict) => conflict.column('device_id').doNothing())
                .returning('device_id')
                .execute();
        // Another may have taken an id since we looked.
        const ours = await keepUnreserved(
          db,
          product.tenancy_id,
          inserted.map((row) => row.device_id),
        );
        const others = free.filter(({ device }) => !ours.has(device.deviceId));
        refused.push(...others.map(takenRow));
        refused.sort((left, right) => left.index - right.index);
        foreign.splice(0, foreign.length, ...others.map(({ device }) => device.deviceId));
        const registered = made
          .filter(({ device }) => ours.has(device.deviceId))
          .map(({ device: { deviceId, deviceName }, secret }) => ({ deviceId, deviceName, deviceSecret: secret }));
        const after = { applicationId: applicationId ?? '', registered: registered.length, refused: refused.length };
        return {
          result: { registered, refused },
          audit: registered.length === 0 && mergeKey === '' ? [] : { ...auditOfProduct(product), after, mergeKey },
        };
      });
      await noteForeign(context, foreign);
      return result;
    },
  };
};
