import {
  bareFunction,
  compareModels,
  exportModel,
  type FunctionWithId,
  type Input,
  isBreaking,
  type ModelDifference,
  mergeModels,
  type modelCalls,
  type Output,
  PRODUCT_FUNCTIONS_MAX,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import { resolveFunctions } from '../../domain/category/categories.ts';
import { auditOfModels, isUnchanged } from '../../domain/model/changes.ts';
import {
  appended,
  productFunctionsOf,
  replaced,
  type StoredFunction,
  singleSignCodeField,
  withIds,
  without,
} from '../../domain/model/functions.ts';
import { countProductDevices, readModelVersion, writeModel } from '../../domain/model/models.ts';
import { auditOfProduct, findProduct, lockProducts } from '../../domain/product/products.ts';
import { assertNotSynced } from '../../domain/sync/flags.ts';
import { checkFunction } from '../../http/check-function.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { iso } from '../../platform/time.ts';

type Calls = typeof modelCalls;

type ChangedModel = {
  modelVersion: number;
  deviceCount: number;
  functions: StoredFunction[];
  difference: ModelDifference;
};

type ModelChange = { productId: string; basedOn?: number | undefined; restoredFrom?: number };

const toVersionRow = (row: Awaited<ReturnType<typeof readModelVersion>>['row']) => ({
  modelVersion: row.model_version,
  added: row.added,
  removed: row.removed,
  changed: row.changed,
  restoredFrom: row.restored_from,
  functionCount: row.function_count,
  creator: row.creator,
  createTime: iso(row.created_at),
});

const changeAnswer = ({ modelVersion, deviceCount }: ChangedModel) => ({ modelVersion, deviceCount });

/** A file is valid by itself; together with the existing functions it may exceed the limit. */
const withinLimit = (functions: FunctionWithId[]): FunctionWithId[] => {
  const max = PRODUCT_FUNCTIONS_MAX;
  if (functions.length > max) throw new AppError('FUNCTIONS_TOO_MANY', { max }, 'content');
  return functions;
};

export const createModelService = ({ db, notifier }: { db: Db; notifier: Pick<Notifier, 'send'> }) => {
  /** All changes of a model: one at a time, each as a new version with the difference to the previous one. */
  const changeModel = async (
    context: Context,
    { productId, basedOn, restoredFrom }: ModelChange,
    edit: (present: StoredFunction[], db: Db) => Promise<StoredFunction[]> | StoredFunction[],
  ): Promise<ChangedModel> => {
    const changed = await withAudit<ChangedModel>(db, context, async (db) => {
      await lockProducts(db, [productId]);
      const row = await findProduct(db, context.actor, productId);
      assertNotSynced(row, row.product_name);
      const from = row.model_version;
      const deviceCount = Number(row.devices);
      if (basedOn !== undefined && basedOn !== from)
        throw new AppError('MODEL_CHANGED', { modelVersion: from }, 'modelVersion');
      const before = await productFunctionsOf(db, productId);
      const functions = await edit(before, db);
      const difference = compareModels(before, functions);
      if (isUnchanged(difference))
        return { result: { modelVersion: from, deviceCount, functions: before, difference }, audit: [] };
      const to = from + 1;
      const creator = context.actor.username;
      const restored = restoredFrom === undefined ? {} : { restoredFrom };
      await writeModel(db, { productId, modelVersion: to, functions, difference, creator, ...restored });
      const audit = { ...auditOfProduct(row), ...auditOfModels(before, functions, { from, to }) };
      return { result: { modelVersion: to, deviceCount, functions, difference }, audit };
    });
    // Device processes validate reports against the new model from now on.
    if (!isUnchanged(changed.difference)) notifier.send('model');
    return changed;
  };

  /** The product of a function, if the caller may see it. */
  const ownerOf = async (actor: Actor, id: string, expectedId?: string): Promise<string> => {
    const row = await db
      .selectFrom('product_function')
      .innerJoin('product', 'product.product_id', 'product_function.product_id')
      .select(['product.product_id', 'product.tenancy_id'])
      .where('function_id', '=', id)
      .executeTakeFirst();
    const visible = row && (actor.platform || row.tenancy_id === actor.tenancyId);
    if (!visible || (expectedId !== undefined && expectedId !== row.product_id))
      throw new AppError('FUNCTION_NOT_FOUND', {}, 'id');
    return row.product_id;
  };

  const effectOf = async (productId: string, before: FunctionWithId[], after: FunctionWithId[]) => {
    const difference = compareModels(before, after);
    return { ...difference, deviceCount: await countProductDevices(db, productId), breaking: isBreaking(difference) };
  };

  return {
    async getDeviceFunctionDefinitionList({ actor }: Context, { productId }: { productId: string }) {
      await findProduct(db, actor, productId);
      const functions = await productFunctionsOf(db, productId);
      return functions.map((entry) => ({ ...entry, productId }));
    },

    async addProductFunctions(context: Context, input: Input<Calls['addProductFunctions']>) {
      const { productId, functions, modelVersion: basedOn } = input;
      const changed = await changeModel(context, { productId, basedOn }, async (present, db) =>
        appended(present, await resolveFunctions(db, context, functions)),
      );
      return { ...changeAnswer(changed), ids: changed.functions.slice(-functions.length).map(({ id }) => id) };
    },

    async addProductFunction(context: Context, input: Input<Calls['addProductFunction']>) {
      const { productId, modelVersion: basedOn, ...entry } = input;
      checkFunction(context.language, entry);
      const changed = await changeModel(context, { productId, basedOn }, (present) =>
        appended(present, [entry as StoredFunction], { signCodeAt: singleSignCodeField }),
      );
      return { ...changeAnswer(changed), id: changed.functions.at(-1)?.id ?? '' };
    },

    async updateProductFunction(context: Context, input: Input<Calls['updateProductFunction']>) {
      const { productId: expectedId, modelVersion: basedOn, functionType, ...entry } = input;
      const productId = await ownerOf(context.actor, entry.id, expectedId);
      const changed = await changeModel(context, { productId, basedOn }, (present) => {
        const next = replaced(present, entry);
        const own = next.find(({ id }) => id === entry.id);
        if (functionType !== undefined && own?.functionType !== functionType)
          throw new AppError('FUNCTION_TYPE_FIXED', {}, 'functionType');
        if (own) checkFunction(context.language, own);
        return next;
      });
      return changeAnswer(changed);
    },

    async deleteProductFunction(context: Context, { id, modelVersion }: Input<Calls['deleteProductFunction']>) {
      const productId = await ownerOf(context.actor, id);
      return changeAnswer(
        await changeModel(context, { productId, basedOn: modelVersion }, (present) => without(present, id)),
      );
    },

    async saveProductModel(context: Context, input: Input<Calls['saveProductModel']>) {
      const { productId, modelVersion: basedOn, functions } = input;
      return changeAnswer(await changeModel(context, { productId, basedOn }, (present) => withIds(present, functions)));
    },

    async previewProductModel({ actor }: Context, input: Input<Calls['previewProductModel']>) {
      await findProduct(db, actor, input.productId);
      const present = await productFunctionsOf(db, input.productId);
      return effectOf(input.productId, present, withIds(present, input.functions));
    },

    async importProductModel(context: Context, input: Input<Calls['importProductModel']>) {
      const { productId, content, mode, modelVersion: basedOn } = input;
      const changed = await changeModel(context, { productId, basedOn }, (present) =>
        withIds(present, withinLimit(mergeModels(present, content.functions, mode))),
      );
      const notes = content.notes.map(({ place, text }) => ({ place, text: text[context.language] }));
      return { ...changeAnswer(changed), changes: changed.difference.changes, notes };
    },

    async exportProductModel({ actor }: Context, input: Input<Calls['exportProductModel']>): Promise<FileAnswer> {
      const { productId, modelVersion, format } = input;
      const { product_name } = await findProduct(db, actor, productId);
      const functions =
        modelVersion === undefined
          ? await productFunctionsOf(db, productId)
          : (await readModelVersion(db, productId, modelVersion)).functions;
      const product = { productId, productName: product_name, functions: functions.map(bareFunction) };
      const { text, contentType, filename } = exportModel(format, product);
      return { bytes: Buffer.from(text), contentType, download: filename };
    },

    async getModelVersions({ actor }: Context, { productId }: { productId: string }) {
      await findProduct(db, actor, productId);
      const rows = await db
        .selectFrom('product_model_version')
        .select([
          'model_version',
          'function_count',
          'added',
          'removed',
          'changed',
          'restored_from',
          'creator',
          'created_at',
        ])
        .where('product_id', '=', productId)
        .orderBy('model_version', 'desc')
        .execute();
      return rows.map((row) => toVersionRow({ ...row, product_id: productId, functions: '' }));
    },

    async getModelVersion(
      { actor }: Context,
      { productId, modelVersion }: Input<Calls['getModelVersion']>,
    ): Promise<Output<Calls['getModelVersion']>> {
      await findProduct(db, actor, productId);
      const { row, functions } = await readModelVersion(db, productId, modelVersion);
      return { ...toVersionRow(row), functions };
    },

    async compareModelVersions({ actor }: Context, { productId, from, to }: Input<Calls['compareModelVersions']>) {
      await findProduct(db, actor, productId);
      const before = await readModelVersion(db, productId, from, 'from');
      const after = await readModelVersion(db, productId, to, 'to');
      return effectOf(productId, before.functions, after.functions);
    },

    async restoreModelVersion(context: Context, input: Input<Calls['restoreModelVersion']>) {
      const { productId, version, modelVersion: basedOn } = input;
      const change = { productId, basedOn, restoredFrom: version };
      return changeAnswer(
        await changeModel(
          context,
          change,
          async (_present, db) => (await readModelVersion(db, productId, version, 'version')).functions,
        ),
      );
    },
  };
};

export type ModelService = ReturnType<typeof createModelService>;
