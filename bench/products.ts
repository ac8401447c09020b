/** The product list with 10,000 products. Reference: hand-written SQL on the same connection. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productCalls } from '@device-center/contract';
import { sql } from 'kysely';
import { connect, type Db } from '../packages/server/src/db/connect.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { attributeColumns } from '../packages/server/src/domain/device/attributes.ts';
import { createProductService } from '../packages/server/src/features/product/product.service.ts';
import { seedLibrary } from '../packages/server/src/library/seed.ts';
import type { Context } from '../packages/server/src/platform/actor.ts';
import { createSecretBox } from '../packages/server/src/platform/secret-box.ts';
import { readSettings } from '../packages/server/src/platform/settings.ts';
import { firstBoot } from '../packages/server/src/startup/first-boot.ts';
import { median } from './median.ts';
import { report } from './report.ts';
import { timed } from './timed.ts';

const PRODUCTS = 10_000;
const DEVICES = 50_000;
const ROUNDS = 30;

const dataDir = mkdtempSync(join(tmpdir(), 'device-center-bench-'));
const settings = readSettings({ DATA_DIR: dataDir, DATABASE_URL: process.env.BENCH_DATABASE_URL });
await migrate(settings);
const db = connect(settings);
await firstBoot(db, { ...settings, ADMIN_PASSWORD: 'Adm1n-pass' });
await seedLibrary(db);

const times = { created_at: 0, updated_at: 0 };

const insertAll = async (table: 'product' | 'device', rows: object[]): Promise<void> => {
  for (let from = 0; from < rows.length; from += 1000)
    await db
      .insertInto(table)
      .values(rows.slice(from, from + 1000) as never)
      .execute();
};

const furnish = async (): Promise<void> => {
  await db
    .insertInto('application')
    .values({
      application_id: 'app',
      tenancy_id: '1',
      application_name: 'app',
      application_name_key: 'app',
      enabled: 1,
      creator: 'admin',
      ...times,
    })
    .execute();
  const categories = ['std-lighting', 'std-socket', 'std-gateway', 'std-camera'];
  const products = Array.from({ length: PRODUCTS }, (_, index) => {
    const id = `P${String(index).padStart(9, '0')}`;
    const name = `product-${index % 97}-${index}`;
    return {
      product_id: id,
      tenancy_id: '1',
      category_id: categories[index % 4],
      application_id: 'app',
      product_name: name,
      product_name_key: name,
      product_id_key: id.toLowerCase(),
      description: '',
      picture_id: null,
      node_type: 1 + (index % 3),
      protocol_id: 1 + (index % 5),
      class_id: 1 + (index % 8),
      secret_sealed: '',
      allow_register: 1,
      allow_md5: 1,
      model_version: 1,
      function_count: 0,
      creator: 'admin',
      created_at: index,
      updated_at: index,
    };
  });
  await insertAll('product', products);
  const devices = Array.from({ length: DEVICES }, (_, index) => {
    const id = `device${index}`;
    return {
      device_id: id,
      tenancy_id: '1',
      product_id: `P${String(index % PRODUCTS).padStart(9, '0')}`,
      application_id: 'app',
      device_name: id,
      device_name_key: id,
      device_id_key: id,
      ...attributeColumns(),
      version_number: '',
      online: 2,
      parent_id: '',
      mock: 0,
      created_at: index,
      updated_at: index,
    };
  });
  await insertAll('device', devices);
};

const columns = `p.*, c.category_name, c.tenancy_id as category_tenancy_id, c.english, t.tenancy_name, a.application_name,
  (select count(*) from device d where d.product_id = p.product_id) as devices`;
const joins = `from product p
  left join category c on c.category_id = p.category_id
  left join tenancy t on t.tenancy_id = p.tenancy_id
  left join application a on a.application_id = p.application_id`;

/** Hand-written SQL: the total count and the page. */
const byHand = async (db: Db, where: string, order: string, offset: number): Promise<void> => {
  await sql.raw(`select count(*) as total from product p ${where}`).execute(db);
  await sql.raw(`select ${columns} ${joins} ${where} order by ${order} limit 10 offset ${offset}`).execute(db);
};

type Case = { name: string; input: object; where: string; order?: string; offset?: number };

const cases: Case[] = [
  { name: 'first page', input: {}, where: '' },
  { name: 'last page', input: { pageIndex: PRODUCTS / 10 }, where: '', offset: PRODUCTS - 10 },
  { name: 'middle page', input: { pageIndex: 500 }, where: '', offset: 4990 },
  { name: 'by category', input: { categoryId: 'std-socket' }, where: "where p.category_id = 'std-socket'" },
  {
    name: 'by node type and protocol',
    input: { nodeType: 2, protocolId: 3 },
    where: 'where p.node_type = 2 and p.protocol_id = 3',
  },
  {
    name: 'by a word in name or id',
    input: { searchValue: 'product-42-' },
    where: "where (p.product_name_key like '%product-42-%' or p.product_id_key like '%product-42-%')",
  },
];

const context = { actor: { platform: true, tenancyId: '1' }, language: 'zh_CN' } as unknown as Context;

try {
  await furnish();
  const service = createProductService({ db, secrets: createSecretBox(settings) });
  console.log(`${PRODUCTS} products, ${DEVICES} devices; milliseconds, median of ${ROUNDS}`);
  for (const { name, input, where, order = 'p.created_at desc, p.product_id desc', offset = 0 } of cases) {
    const parsed = productCalls.queryDeviceProductList.input.parse(input);
    const [hub, hand]: [number[], number[]] = [[], []];
    // Alternating, so that both run under the same conditions.
    for (let round = 0; round < ROUNDS; round++) {
      hub.push(await timed(() => service.queryDeviceProductList(context, parsed)));
      hand.push(await timed(() => byHand(db, where, order, offset)));
    }
    const reference = { name: 'SQL by hand', value: median(hand) };
    report({ what: `products: ${name}`, value: median(hub), unit: 'ms', worst: Math.max(...hub), reference });
  }
} finally {
  await db.destroy();
  rmSync(dataDir, { recursive: true, force: true });
}
