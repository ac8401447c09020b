import {
  compareVersions,
  type firmwareCalls,
  firmwareUriOf,
  type Input,
  type Language,
  type Output,
  type SignedManifest,
  unfinishedStatuses,
  type VersionRow,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains, containsAny } from '../../db/contains.ts';
import { readPage } from '../../db/paging.ts';
import { listScope, type Scope, scopeOf } from '../../db/scope.ts';
import { storedJson } from '../../db/stored.ts';
import { versionsOf } from '../../domain/ota/versions.ts';
import { findProduct } from '../../domain/product/products.ts';
import { tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { iso } from '../../platform/time.ts';

type Calls = typeof firmwareCalls;

/** Devices may report any version; a list longer than this is of no use to choose from. */
const RUNNING_MAX = 1_000;

const withNames = (rows: ReturnType<typeof versionsOf>) =>
  rows
    .innerJoin('product', 'product.product_id', 'ota_version.product_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'ota_version.tenancy_id')
    .innerJoin('firmware_file', 'firmware_file.file_id', 'ota_version.file_id')
    .selectAll('ota_version')
    .select((row) => [
      'product.product_name',
      'tenancy.tenancy_name',
      'firmware_file.size',
      'firmware_file.md5',
      'firmware_file.sha256',
      row
        .selectFrom('device')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('device.product_id', '=', 'ota_version.product_id')
        .whereRef('device.version_number', '=', 'ota_version.version_number')
        .as('devices'),
      row
        .selectFrom('device')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('device.product_id', '=', 'ota_version.product_id')
        .as('product_devices'),
      row
        .selectFrom('ota_task')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('ota_task.version_id', '=', 'ota_version.version_id')
        .as('tasks'),
      row
        .selectFrom('ota_task')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('ota_task.version_id', '=', 'ota_version.version_id')
        .where('ota_task.status', 'in', unfinishedStatuses)
        .as('unfinished_tasks'),
    ]);

export type VersionRecord = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number];

export const selectVersions = (db: Db, scope: Scope) => withNames(versionsOf(db, scope));

export const findVersion = async (db: Db, actor: Actor, versionId: string): Promise<VersionRecord> => {
  const row = await selectVersions(db, scopeOf(actor))
    .where('ota_version.version_id', '=', versionId)
    .executeTakeFirst();
  if (!row) throw new AppError('VERSION_NOT_FOUND', {}, 'versionId');
  return row;
};

const toAnswer = (language: Language, row: VersionRecord): VersionRow => ({
  versionId: row.version_id,
  versionName: row.version_name,
  versionNumber: row.version_number,
  productId: row.product_id,
  productName: row.product_name,
  firmwareUri: firmwareUriOf(row.file_id),
  nickName: row.nick_name,
  size: row.size,
  md5: row.md5,
  sha256: row.sha256,
  deviceCount: Number(row.devices),
  productDeviceCount: Number(row.product_devices),
  taskCount: Number(row.tasks),
  unfinishedTaskCount: Number(row.unfinished_tasks),
  creator: row.creator,
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

/** The versions that the devices of a product run, the most frequent first. */
const runningOf = async (db: Db, productId: string): Promise<{ versionNumber: string; devices: number }[]> => {
  const rows = await db
    .selectFrom('device')
    .select((row) => ['version_number', row.fn.countAll<number>().as('devices')])
    .where('product_id', '=', productId)
    .where('version_number', '<>', '')
    .groupBy('version_number')
    .orderBy('devices', 'desc')
    .orderBy('version_number')
    .limit(RUNNING_MAX)
    .execute();
  return rows.map((row) => ({ versionNumber: row.version_number, devices: Number(row.devices) }));
};

/** The calls that read firmware versions. */
export const createVersionQueries = ({ db }: { db: Db }) => ({
  async queryDeviceOtaVersionList(
    { actor, language }: Context,
    input: Input<Calls['queryDeviceOtaVersionList']>,
  ): Promise<Output<Calls['queryDeviceOtaVersionList']>> {
    let rows = versionsOf(db, listScope(actor, input.tenancyId));
    if (input.productId) rows = rows.where('ota_version.product_id', '=', input.productId);
    if (input.versionName) rows = rows.where(contains('ota_version.version_name_key', input.versionName));
    if (input.versionNumber) rows = rows.where(contains('ota_version.version_number_key', input.versionNumber));
    if (input.searchValue)
      rows = rows.where(
        containsAny(['ota_version.version_name_key', 'ota_version.version_number_key'], input.searchValue),
      );
    const page = await readPage(
      db,
      {
        rows: withNames(rows),
        bare: rows,
        createdAt: 'ota_version.created_at',
        updatedAt: 'ota_version.updated_at',
        unique: 'ota_version.version_id',
      },
      input,
    );
    return { ...page, list: page.list.map((row) => toAnswer(language, row)) };
  },

  async getDeviceOtaVersionDetails(
    { actor, language }: Context,
    { versionId }: Input<Calls['getDeviceOtaVersionDetails']>,
  ): Promise<Output<Calls['getDeviceOtaVersionDetails']>> {
    const row = await findVersion(db, actor, versionId);
    return {
      ...toAnswer(language, row),
      manifest: storedJson<SignedManifest>(row.manifest, 'ota_version', versionId),
      running: await runningOf(db, row.product_id),
    };
  },

  async getProductVersionNumbers(
    { actor }: Context,
    { productId }: Input<Calls['getProductVersionNumbers']>,
  ): Promise<Output<Calls['getProductVersionNumbers']>> {
    await findProduct(db, actor, productId);
    const uploaded = await db
      .selectFrom('ota_version')
      .select(['version_id', 'version_name', 'version_number'])
      .where('product_id', '=', productId)
      .execute();
    const running = new Map((await runningOf(db, productId)).map((row) => [row.versionNumber, row.devices]));
    const files = new Map(uploaded.map((row) => [row.version_number, row]));
    return [...new Set([...files.keys(), ...running.keys()])]
      .map((versionNumber) => ({
        versionNumber,
        versionId: files.get(versionNumber)?.version_id ?? '',
        versionName: files.get(versionNumber)?.version_name ?? '',
        deviceCount: running.get(versionNumber) ?? 0,
      }))
      .sort((one, other) => compareVersions(other.versionNumber, one.versionNumber));
  },
});
