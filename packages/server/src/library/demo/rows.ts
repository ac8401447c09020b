import { readFileSync } from 'node:fs';
import { checkParams, Menu, type ModelFunction } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { columnsOf, openFunctionsOf } from '../../domain/model/functions.ts';
import { initialModelDifference, writeModel } from '../../domain/model/models.ts';
import { addPicture } from '../../domain/picture/pictures.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId, newProductId, newSecret } from '../../platform/ids.ts';
import { assetUrl } from '../../platform/locations.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { libraryIn } from '../seed.ts';
import type { Company, DemoProduct, OwnCategory, SampleEvent } from './company.ts';
import { DAY_MS } from './plan.ts';

/** Menus for operators of devices, without user administration. */
const MENUS = [
  Menu.messageChart,
  Menu.auditLog,
  Menu.applyList,
  Menu.categoryList,
  Menu.deviceList,
  Menu.productList,
  Menu.blackDeviceList,
  Menu.softwareVersion,
  Menu.updateMission,
  Menu.mockList,
];

/** Age of the company and of its products in days. */
const COMPANY_DAYS = 62;
const PRODUCT_DAYS = 55;

const times = (now: number, days: number) => ({ created_at: now - days * DAY_MS, updated_at: now - days * DAY_MS });

/** Appends a number to a name if it is taken: such names are unique across tenants. */
const freeName = async (base: string, isTaken: (key: string) => Promise<boolean>): Promise<string> => {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? base : base.replace(/(@.*)?$/, `-${number}$1`);
    if (!(await isTaken(foldCase(candidate)))) return candidate;
  }
};

const isTenancyName = (db: Db) => async (key: string) =>
  (await db.selectFrom('tenancy').select('tenancy_id').where('tenancy_name_key', '=', key).executeTakeFirst()) !==
  undefined;

const isUserField = (db: Db, column: 'username_key' | 'email_key') => async (key: string) =>
  (await db.selectFrom('user_account').select('user_id').where(column, '=', key).executeTakeFirst()) !== undefined;

export const insertCompany = async (db: Db, company: Company, passwordHash: string, now: number) => {
  const { tenancyId } = company;
  const since = times(now, COMPANY_DAYS);
  const tenancyName = await freeName(company.tenancyName, isTenancyName(db));
  await db
    .insertInto('tenancy')
    .values({
      tenancy_id: tenancyId,
      tenancy_name: tenancyName,
      tenancy_name_key: foldCase(tenancyName),
      company_name: company.companyName,
      company_name_key: foldCase(company.companyName),
      contact_name: company.contactName,
      phone: company.phone,
      email: company.email,
      company_address: company.companyAddress,
      enabled: 1,
      builtin: 0,
      demo: 1,
      ...since,
    })
    .execute();
  const roleId = newId();
  await db
    .insertInto('role')
    .values({
      role_id: roleId,
      tenancy_id: tenancyId,
      role_name: company.roleName,
      role_name_key: foldCase(company.roleName),
      builtin: 0,
      ...since,
    })
    .execute();
  await db
    .insertInto('role_menu')
    .values(MENUS.map((menu_id) => ({ role_id: roleId, menu_id })))
    .execute();
  const username = await freeName(company.user.username, isUserField(db, 'username_key'));
  const email = await freeName(company.user.email, isUserField(db, 'email_key'));
  await db
    .insertInto('user_account')
    .values({
      user_id: newId(),
      tenancy_id: tenancyId,
      role_id: roleId,
      username,
      username_key: foldCase(username),
      name: company.user.name,
      name_key: foldCase(company.user.name),
      email,
      email_key: foldCase(email),
      password_hash: passwordHash,
      must_change_password: 1,
      preferences: '{}',
      ...since,
    })
    .execute();
  const applicationIds = [newId(), newId()] as const;
  await db
    .insertInto('application')
    .values(
      company.applications.map((name, position) => ({
        application_id: applicationIds[position as 0 | 1],
        tenancy_id: tenancyId,
        application_name: name,
        application_name_key: foldCase(name),
        enabled: 1 as const,
        creator: username,
        ...since,
      })),
    )
    .execute();
  return { tenancyName, username, applicationIds };
};

const insertCategory = async (db: Db, { tenancyId }: Company, category: OwnCategory, now: number): Promise<string> => {
  const categoryId = newId();
  const since = times(now, PRODUCT_DAYS);
  await db
    .insertInto('category')
    .values({
      category_id: categoryId,
      tenancy_id: tenancyId,
      category_name: category.categoryName,
      category_name_key: foldCase(category.categoryName),
      search_key: foldCase(category.categoryName),
      description: category.description,
      model_version: 1,
      ...since,
    })
    .execute();
  const rows = category.functions.map((entry, index) => ({
    category_id: categoryId,
    ...columnsOf({ ...entry, id: newId() }, index),
    search_key: foldCase(`${entry.signCode} ${entry.functionName}`),
    ...since,
  }));
  await db.insertInto('open_function').values(rows).execute();
  return categoryId;
};

/** The company's categories, and copies of standard ones that an operator has deleted. */
const categoryIdsOf = async (db: Db, company: Company, now: number): Promise<Map<string, string>> => {
  const ids = new Map<string, string>();
  for (const category of company.categories) ids.set(category.key, await insertCategory(db, company, category, now));
  const standard = [...new Set(company.products.map(({ category }) => category))].filter((key) => !ids.has(key));
  const existing = await db.selectFrom('category').select('category_id').where('category_id', 'in', standard).execute();
  for (const { category_id } of existing) ids.set(category_id, category_id);
  for (const category of libraryIn(company.language))
    if (standard.includes(category.categoryId) && !ids.has(category.categoryId))
      ids.set(category.categoryId, await insertCategory(db, company, { key: category.categoryId, ...category }, now));
  return ids;
};

const pictureOf = (key: string): Uint8Array => readFileSync(assetUrl(`library/demo/pictures/${key}.png`));

const isValidEvent = (functions: ModelFunction[], { event, output }: SampleEvent): boolean =>
  functions.some(
    (entry) =>
      entry.functionType === 22 &&
      entry.signCode === event &&
      checkParams(entry.functionDefinition.output, output).length === 0,
  );

type CreatedProduct = {
  productId: string;
  applicationId: string;
  functions: ModelFunction[];
  sampleEvents: SampleEvent[];
};
export type CreatedProducts = Map<DemoProduct, CreatedProduct>;

type Author = { company: Company; creator: string; applicationIds: readonly [string, string]; secrets: SecretBox };

const insertProduct = async (
  db: Db,
  { company, creator, applicationIds, secrets }: Author,
  product: DemoProduct,
  categoryId: string,
  now: number,
): Promise<CreatedProduct> => {
  const productId = newProductId();
  const { tenancyId, language } = company;
  const since = times(now, PRODUCT_DAYS);
  const applicationId = applicationIds[product.application];
  const picture = { tenancyId, purpose: 'product', contentType: 'image/png', bytes: pictureOf(product.key) } as const;
  await db
    .insertInto('product')
    .values({
      product_id: productId,
      product_id_key: foldCase(productId),
      tenancy_id: tenancyId,
      category_id: categoryId,
      application_id: applicationId,
      product_name: product.productName,
      product_name_key: foldCase(product.productName),
      description: product.description,
      picture_id: await addPicture(db, picture),
      node_type: product.nodeType,
      protocol_id: product.protocolId,
      class_id: product.classId,
      secret_sealed: secrets.seal(newSecret()),
      allow_register: 1,
      allow_md5: 1,
      model_version: 1,
      function_count: 0,
      creator,
      ...since,
    })
    .execute();
  const copied = await openFunctionsOf(db, categoryId, language);
  const own = (product.functions ?? []).filter(({ signCode }) => !copied.some((entry) => entry.signCode === signCode));
  const functions = [...copied, ...own].map((entry) => ({ ...entry, id: newId() }));
  await writeModel(db, {
    productId,
    modelVersion: 1,
    functions,
    difference: initialModelDifference(functions),
    creator,
  });
  await db.updateTable('product').set(since).where('product_id', '=', productId).execute();
  await db
    .updateTable('product_model_version')
    .set({ created_at: since.created_at })
    .where('product_id', '=', productId)
    .execute();
  const sampleEvents = product.sampleEvents.filter((happening) => isValidEvent(functions, happening));
  return { productId, applicationId, functions, sampleEvents };
};

export const insertProducts = async (db: Db, author: Author, now: number): Promise<CreatedProducts> => {
  const categoryIds = await categoryIdsOf(db, author.company, now);
  const created: CreatedProducts = new Map();
  for (const [position, product] of author.company.products.entries()) {
    // An hour apart, because lists show the newest first.
    const at = now - position * 3_600_000;
    created.set(product, await insertProduct(db, author, product, categoryIds.get(product.category) ?? '', at));
  }
  return created;
};
