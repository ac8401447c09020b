import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeTypeId, ProductClassId } from '@device-center/contract';
import { connect, type Db } from '../db/connect.ts';
import { transact } from '../db/faults.ts';
import { openFunctionsOf } from '../db/functions.ts';
import { firstModel, writeModel } from '../db/models.ts';
import { PLATFORM } from '../db/platform-ids.ts';
import { fold } from '../platform/fold.ts';
import { newId, newProductId, newSecret } from '../platform/ids.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import type { Settings } from '../platform/settings.ts';

type DemoProduct = {
  categoryId: string;
  productName: string;
  nodeType: NodeTypeId;
  classId: ProductClassId;
  prefix: string;
  devices: number;
};

const products: DemoProduct[] = [
  { categoryId: 'std-lighting', productName: '示例灯具', nodeType: 1, classId: 1, prefix: 'demo-lamp-', devices: 12 },
  {
    categoryId: 'std-environment-sensor',
    productName: '示例环境传感器',
    nodeType: 1,
    classId: 2,
    prefix: 'demo-sensor-',
    devices: 8,
  },
  {
    categoryId: 'std-electricity-meter',
    productName: '示例电表',
    nodeType: 1,
    classId: 4,
    prefix: 'demo-meter-',
    devices: 4,
  },
];

const SEED = 'demonstration fleet';
export const DEMO_FILE = 'demo.json';

/** An operator may have a product of that name already. */
const freeName = async (db: Db, wanted: string): Promise<string> => {
  const taken = await db
    .selectFrom('product')
    .select('product_id')
    .where('tenancy_id', '=', PLATFORM.tenancyId)
    .where('product_name_key', '=', fold(wanted))
    .executeTakeFirst();
  return taken ? `${wanted}-${newProductId()}` : wanted;
};

const insertProduct = async (db: Db, demo: DemoProduct, applicationId: string, sealed: string): Promise<string> => {
  const productId = newProductId();
  const productName = await freeName(db, demo.productName);
  const now = Date.now();
  await db
    .insertInto('product')
    .values({
      product_id: productId,
      product_id_key: fold(productId),
      tenancy_id: PLATFORM.tenancyId,
      category_id: demo.categoryId,
      application_id: applicationId,
      product_name: productName,
      product_name_key: fold(productName),
      description: '',
      picture_id: null,
      node_type: demo.nodeType,
      protocol_id: 1,
      class_id: demo.classId,
      secret_sealed: sealed,
      allow_register: 1,
      allow_md5: 1,
      model_version: 1,
      function_count: 0,
      creator: PLATFORM.username,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const functions = (await openFunctionsOf(db, demo.categoryId, 'zh_CN')).map((entry) => ({ ...entry, id: newId() }));
  const difference = firstModel(functions);
  await writeModel(db, { productId, modelVersion: 1, functions, difference, creator: PLATFORM.username });
  return productId;
};

const insertApplication = async (db: Db): Promise<string> => {
  const applicationId = newId();
  const times = { created_at: Date.now(), updated_at: Date.now() };
  await db
    .insertInto('application')
    .values({
      application_id: applicationId,
      tenancy_id: PLATFORM.tenancyId,
      application_name: '示例应用',
      application_name_key: fold(`示例应用-${applicationId}`),
      enabled: 1,
      creator: PLATFORM.username,
      ...times,
    })
    .execute();
  return applicationId;
};

/**
 * An application and products for a demonstration fleet, once. What the fleet's program needs to log in lies in
 * DATA_DIR, readable by the hub's user alone, as the hub's own key does.
 */
export const seedDemo = async (settings: Settings): Promise<void> => {
  const db = connect(settings);
  const secrets = createSecretBox(settings);
  try {
    await transact(db, async (db) => {
      const mine = await db
        .insertInto('seed')
        .values({ seed_name: SEED, created_at: Date.now() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!mine.numInsertedOrUpdatedRows) return;
      const applicationId = await insertApplication(db);
      const fleets: object[] = [];
      for (const demo of products) {
        const productSecret = newSecret();
        const productId = await insertProduct(db, demo, applicationId, secrets.seal(productSecret));
        fleets.push({ productId, productSecret, prefix: demo.prefix, devices: demo.devices });
      }
      // Before the commit: a fleet without its file would never come, a file without its fleet is refused.
      writeFileSync(join(settings.DATA_DIR, DEMO_FILE), JSON.stringify({ fleets }, null, 2), { mode: 0o600 });
    });
  } finally {
    await db.destroy();
  }
};
