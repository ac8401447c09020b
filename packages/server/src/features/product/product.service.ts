import {
  type Input,
  type Output,
  optionsOf,
  type productCalls,
  productClasses,
  productClassIds,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains, containsAny } from '../../db/contains.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../db/errors.ts';
import { readPage } from '../../db/paging.ts';
import { isOtherTenant, scopeOf, tenancyForNew } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { requireApplicationOf } from '../../domain/application/applications.ts';
import { lockUsableCategory } from '../../domain/category/categories.ts';
import { devicesOf, readDevices } from '../../domain/device/devices.ts';
import { openFunctionsOf } from '../../domain/model/functions.ts';
import { initialModelDifference, writeModel } from '../../domain/model/models.ts';
import { addPicture, readPicture, removePictures } from '../../domain/picture/pictures.ts';
import {
  auditOfProduct,
  findProduct,
  iconPath,
  lockProducts,
  type ProductRecord,
  productAnswer,
  productsOf,
  selectProducts,
  withNames,
} from '../../domain/product/products.ts';
import { assertNotSynced, markModelChanged } from '../../domain/sync/flags.ts';
import type { UploadedFile } from '../../http/parse-input.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId, newProductId, newSecret } from '../../platform/ids.ts';
import { reencodePicture } from '../../platform/picture.ts';
import type { SecretBox } from '../../platform/secret-box.ts';

type Calls = typeof productCalls;

const fieldsOf = (row: ProductRecord) => ({
  productName: row.product_name,
  description: row.description,
  icon: row.picture_id ?? '',
  classId: row.class_id,
  applicationId: row.application_id ?? '',
  allowRegister: row.allow_register,
  allowMd5: row.allow_md5,
});

/** The fields that are synchronised to other installations. */
const synchronised = ['productName', 'description', 'classId', 'allowMd5'] as const;

/** Whether a field changes that only the origin of a received product may change. */
const changesOriginField = (before: ReturnType<typeof fieldsOf>, name: string, value: unknown): boolean =>
  name !== 'applicationId' && value !== undefined && value !== before[name as keyof typeof before];

const mapConflicts = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (uniqueViolation(error)?.startsWith('product.tenancy_id'))
      throw new AppError('PRODUCT_NAME_TAKEN', {}, 'productName');
    throw error;
  }
};

const applicationOf = async (db: Db, tenancyId: string, applicationId: string): Promise<string | null> => {
  if (applicationId === '') return null;
  await requireApplicationOf(db, tenancyId, applicationId, 'applicationId');
  return applicationId;
};

/** Assigns an uploaded, unused picture to the product's tenant. */
const claimPicture = async (db: Db, actor: Actor, tenancyId: string, pictureId: string): Promise<string | null> => {
  if (pictureId === '') return null;
  const scope = scopeOf(actor);
  let rows = db
    .updateTable('picture')
    .set({ tenancy_id: tenancyId })
    .where('picture_id', '=', pictureId)
    .where('purpose', '=', 'product');
  if (scope.tenancyId) rows = rows.where('tenancy_id', '=', scope.tenancyId);
  const { numUpdatedRows } = await rows.executeTakeFirst();
  // Checked after the row is locked, so that a concurrent call sees the product of the first one.
  const taken = await db
    .selectFrom('product')
    .select('product_id')
    .where('picture_id', '=', pictureId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n || taken) throw new AppError('FILE_NOT_FOUND', {}, 'icon');
  return pictureId;
};

export const createProductService = ({ db, secrets }: { db: Db; secrets: SecretBox }) => {
  const remove = (context: Context, requestedIds: string[]): Promise<number> => {
    const productIds = [...new Set(requestedIds)].sort();
    return withAudit(db, context, async (db) => {
      await lockProducts(db, productIds);
      const rows = await selectProducts(db, scopeOf(context.actor))
        .where('product.product_id', 'in', productIds)
        .execute();
      if (rows.length !== productIds.length) throw new AppError('PRODUCT_NOT_FOUND', {}, 'productIds');
      for (const row of rows) {
        const devices = Number(row.devices);
        if (devices > 0) throw new AppError('PRODUCT_HAS_DEVICES', { productName: row.product_name, devices });
      }
      await db.deleteFrom('product').where('product_id', 'in', productIds).execute();
      await removePictures(
        db,
        rows.map((row) => row.picture_id),
      );
      return { result: rows.length, audit: rows.map((row) => ({ ...auditOfProduct(row), before: fieldsOf(row) })) };
    });
  };

  return {
    async queryDeviceProductList(
      { actor, language }: Context,
      input: Input<Calls['queryDeviceProductList']>,
    ): Promise<Output<Calls['queryDeviceProductList']>> {
      let rows = productsOf(db, scopeOf(actor, input.tenancyId));
      if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('product.product_id', '=', '');
      if (input.productId) rows = rows.where(contains('product.product_id_key', input.productId));
      if (input.productName) rows = rows.where(contains('product.product_name_key', input.productName));
      if (input.searchValue)
        rows = rows.where(containsAny(['product.product_name_key', 'product.product_id_key'], input.searchValue));
      if (input.categoryId) rows = rows.where('product.category_id', '=', input.categoryId);
      if (input.nodeType) rows = rows.where('product.node_type', '=', input.nodeType);
      if (input.protocolId) rows = rows.where('product.protocol_id', '=', input.protocolId);
      if (input.classId) rows = rows.where('product.class_id', '=', input.classId);
      const order = { createdAt: 'product.created_at', updatedAt: 'product.updated_at', unique: 'product.product_id' };
      const page = await readPage(db, { rows: withNames(rows), bare: rows, ...order }, input);
      return { ...page, list: page.list.map((row) => productAnswer(language, row)) };
    },

    async getDeviceProductDetails(
      { actor, language }: Context,
      { productId }: Input<Calls['getDeviceProductDetails']>,
    ) {
      return productAnswer(language, await findProduct(db, actor, productId));
    },

    async getProductDevices({ actor, language }: Context, input: Input<Calls['getProductDevices']>) {
      await findProduct(db, actor, input.productId);
      const rows = (await devicesOf(db, { tenancyId: null })).where('device.product_id', '=', input.productId);
      return readDevices(db, rows, language, input, { exactTotal: true });
    },

    async getDeviceProductClass({ language }: Context): Promise<Output<Calls['getDeviceProductClass']>> {
      const options = optionsOf(productClasses, productClassIds, language);
      return options.map(({ value, label }) => ({ classId: value, className: label }));
    },

    async addDeviceProduct(context: Context, input: Input<Calls['addDeviceProduct']>) {
      const { actor, language } = context;
      const productId = newProductId();
      const productSecret = newSecret();
      const now = Date.now();
      return mapConflicts(
        withAudit(db, context, async (db) => {
          const tenancyId = await tenancyForNew(db, actor, input.tenancyId);
          await lockUsableCategory(db, tenancyId, input.categoryId);
          await db
            .insertInto('product')
            .values({
              product_id: productId,
              tenancy_id: tenancyId,
              category_id: input.categoryId,
              application_id: await applicationOf(db, tenancyId, input.applicationId ?? ''),
              product_name: input.productName,
              product_name_key: foldCase(input.productName),
              product_id_key: foldCase(productId),
              description: input.description,
              picture_id: await claimPicture(db, actor, tenancyId, input.icon),
              node_type: input.nodeType,
              protocol_id: input.protocolId,
              class_id: input.classId,
              secret_sealed: secrets.seal(productSecret),
              allow_register: input.allowRegister,
              allow_md5: input.allowMd5,
              model_version: 1,
              function_count: 0,
              creator: actor.username,
              created_at: now,
              updated_at: now,
            })
            .execute();
          // A later change of the category does not change the product, so it takes copies.
          const open = input.inheritFunctions === 1 ? await openFunctionsOf(db, input.categoryId, language) : [];
          const functions = open.map((entry) => ({ ...entry, id: newId() }));
          const difference = initialModelDifference(functions);
          await writeModel(db, { productId, modelVersion: 1, functions, difference, creator: actor.username });
          const { tenancyId: _tenant, ...after } = input;
          const audit = { tenancyId, targetId: productId, targetName: input.productName, after };
          return { result: { productId, productSecret }, audit };
        }),
      );
    },

    async updateDeviceProduct(context: Context, input: Input<Calls['updateDeviceProduct']>): Promise<null> {
      const { actor } = context;
      const { productId, icon, ...sent } = input;
      return mapConflicts(
        withAudit(db, context, async (db) => {
          await lockProducts(db, [productId]);
          const row = await findProduct(db, actor, productId);
          const before = fieldsOf(row);
          if (Object.entries({ ...sent, icon }).some(([name, value]) => changesOriginField(before, name, value)))
            assertNotSynced(row, row.product_name);
          const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
          const after = { ...before, ...given, ...(icon === undefined ? {} : { icon }) };
          const newPicture = icon !== undefined && icon !== before.icon;
          await db
            .updateTable('product')
            .set({
              product_name: after.productName,
              product_name_key: foldCase(after.productName),
              description: after.description,
              class_id: after.classId,
              application_id: await applicationOf(db, row.tenancy_id, after.applicationId),
              allow_register: after.allowRegister,
              allow_md5: after.allowMd5,
              ...(newPicture ? { picture_id: await claimPicture(db, actor, row.tenancy_id, icon) } : {}),
              updated_at: Date.now(),
            })
            .where('product_id', '=', productId)
            .execute();
          if (newPicture) await removePictures(db, [row.picture_id]);
          if (synchronised.some((name) => after[name] !== before[name])) await markModelChanged(db, productId);
          return { result: null, audit: { ...auditOfProduct(row), before, after } };
        }),
      );
    },

    /** A device created between the check and the deletion violates a foreign key; the second check reports it. */
    async deleteDeviceProduct(context: Context, { productIds }: Input<Calls['deleteDeviceProduct']>) {
      try {
        return { deleted: await remove(context, productIds) };
      } catch (error) {
        if (!isForeignKeyViolation(error)) throw error;
        return { deleted: await remove(context, productIds) };
      }
    },

    async resetProductSecret(context: Context, { productId }: Input<Calls['resetProductSecret']>) {
      const productSecret = newSecret();
      return withAudit(db, context, async (db) => {
        const row = await findProduct(db, context.actor, productId);
        assertNotSynced(row, row.product_name);
        await db
          .updateTable('product')
          .set({ secret_sealed: secrets.seal(productSecret), updated_at: Date.now() })
          .where('product_id', '=', productId)
          .execute();
        return { result: { productSecret }, audit: auditOfProduct(row) };
      });
    },

    async uploadProductPicture(context: Context, _input: object, file: UploadedFile) {
      const { tenancyId } = context.actor;
      const kinds = ['image/jpeg', 'image/png'] as const;
      const { contentType, bytes } = await reencodePicture(
        file.bytes,
        kinds,
        'PRODUCT_PICTURE_UNREADABLE',
        context.actor,
      );
      return withAudit(db, context, async (db) => {
        const pictureId = await addPicture(db, { tenancyId, purpose: 'product', contentType, bytes });
        const after = { contentType, bytes: bytes.length };
        const audit = { tenancyId, targetId: pictureId, targetName: contentType, after };
        return { result: { icon: iconPath(pictureId) }, audit };
      });
    },

    getProductPicture: ({ actor }: Context, { pictureId }: Input<Calls['getProductPicture']>): Promise<FileAnswer> =>
      readPicture(db, actor, 'product', pictureId),
  };
};
