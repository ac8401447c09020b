import { type DeviceRow, type Language, nodeTypes, onlineNames, type Page, protocols } from '@device-center/contract';
import { iso } from '../platform/time.ts';
import { categoryWordsIn } from './categories.ts';
import type { Db } from './connect.ts';
import { readPage } from './paging.ts';
import { tenancyNameIn } from './platform-ids.ts';
import type { Scope } from './scope.ts';

export const selectDevices = (db: Db, { tenancyId }: Scope) => {
  const rows = db
    .selectFrom('device')
    .innerJoin('product', 'product.product_id', 'device.product_id')
    .innerJoin('category', 'category.category_id', 'product.category_id')
    .innerJoin('application', 'application.application_id', 'device.application_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'device.tenancy_id')
    .selectAll('device')
    .select([
      'product.product_name',
      'product.node_type',
      'product.protocol_id',
      'category.category_name',
      'category.english',
      'application.application_name',
      'tenancy.tenancy_name',
    ]);
  return tenancyId === null ? rows : rows.where('device.tenancy_id', '=', tenancyId);
};

type DeviceRecord = Awaited<ReturnType<ReturnType<typeof selectDevices>['execute']>>[number];

const deviceAnswer = (language: Language, row: DeviceRecord): DeviceRow => ({
  deviceId: row.device_id,
  deviceName: row.device_name,
  mac: row.mac,
  productId: row.product_id,
  productName: row.product_name,
  categoryName: categoryWordsIn(language, { ...row, description: '' }).categoryName,
  nodeType: row.node_type,
  nodeTypeName: nodeTypes[row.node_type][language],
  protocolId: row.protocol_id,
  protocolName: protocols[row.protocol_id][language],
  online: row.online,
  onlineName: onlineNames[row.online][language],
  versionNumber: row.version_number,
  applicationId: row.application_id,
  applicationName: row.application_name,
  parentId: row.parent_id,
  mock: row.mock,
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

type Asked = { pageIndex: number; pageSize: number; sortField: 1 | 2; sortMode: 1 | 2 };

/** One page of devices, as every list of them answers. */
export const readDevices = async (
  db: Db,
  rows: ReturnType<typeof selectDevices>,
  language: Language,
  asked: Asked,
): Promise<Page<DeviceRow>> => {
  const order = { createdAt: 'device.created_at', updatedAt: 'device.updated_at', unique: 'device.device_id' };
  const page = await readPage(db, { rows, ...order }, asked);
  return { ...page, list: page.list.map((row) => deviceAnswer(language, row)) };
};
