/**
 * The device list with 1,000,000 devices. Reference: hand-written SQL on the same connection. BENCH_AGAINST=FOLDER measures
 * the service of another checkout on the same rows, alternating with this one.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceCalls } from '@device-center/contract';
import { sql } from 'kysely';
import { connect, connectRecords, type Db } from '../packages/server/src/db/connect.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { attributeColumns } from '../packages/server/src/domain/device/attributes.ts';
import { prepareSearch } from '../packages/server/src/domain/device/search.ts';
import { prepareTotals } from '../packages/server/src/domain/device/totals.ts';
import { createDeviceService } from '../packages/server/src/features/device/device.service.ts';
import { seedLibrary } from '../packages/server/src/library/seed.ts';
import type { Context } from '../packages/server/src/platform/actor.ts';
import { readSettings } from '../packages/server/src/platform/settings.ts';
import { firstBoot } from '../packages/server/src/startup/first-boot.ts';
import { median } from './median.ts';
import { report } from './report.ts';
import { timed } from './timed.ts';

const DEVICES = Number(process.env.BENCH_DEVICES ?? 1_000_000);
const ROUNDS = 7;
const PRODUCTS = 50;
const APPLICATIONS = 20;

const dataDir = mkdtempSync(join(tmpdir(), 'device-center-bench-'));
const settings = readSettings({ DATA_DIR: dataDir, DATABASE_URL: process.env.BENCH_DATABASE_URL });
await migrate(settings);
const db = connect(settings);
await prepareSearch(db);
await prepareTotals(db);
await firstBoot(db, { ...settings, ADMIN_PASSWORD: 'Adm1n-pass' });
await seedLibrary(db);
const records = connectRecords(settings);

const times = { created_at: 0, updated_at: 0 };

const furnishOwners = async (): Promise<void> => {
  for (let index = 0; index < APPLICATIONS; index++) {
    const application_id = `app${index}`;
    const named = { application_name: application_id, application_name_key: application_id };
    await db
      .insertInto('application')
      .values({ application_id, tenancy_id: '1', ...named, enabled: 1, creator: 'admin', ...times })
      .execute();
  }
  const categories = ['std-lighting', 'std-socket', 'std-gateway', 'std-camera'];
  for (let index = 0; index < PRODUCTS; index++)
    await db
      .insertInto('product')
      .values({
        product_id: `P${index}`,
        tenancy_id: '1',
        category_id: categories[index % 4] ?? '',
        application_id: 'app0',
        product_name: `product ${index}`,
        product_name_key: `product ${index}`,
        product_id_key: `p${index}`,
        description: '',
        picture_id: null,
        node_type: index % 10 === 0 ? 2 : 1,
        protocol_id: 1,
        class_id: 1,
        secret_sealed: '',
        allow_register: 1,
        allow_md5: 1,
        model_version: 1,
        function_count: 0,
        creator: 'admin',
        ...times,
      })
      .execute();
};

const deviceOf = (index: number) => {
  const device_id = `DEV-${index.toString(16).padStart(6, '0')}-${((index * 2_654_435_761) % 4_294_967_296).toString(36)}`;
  const name = `设备${index}-lamp`;
  const mac = Array.from({ length: 6 }, (_, place) => ((index * (place + 3) * 97) % 256).toString(16)).join(':');
  return {
    device_id,
    registration_no: index,
    tenancy_id: '1',
    product_id: `P${(index * 7) % PRODUCTS}`,
    application_id: `app${(index * 11) % APPLICATIONS}`,
    device_name: name,
    device_name_key: name,
    device_id_key: device_id.toLowerCase(),
    ...attributeColumns({ mac }),
    version_number: `1.0.${index % 5}`,
    online: (index % 3 === 0 ? 1 : 2) as 1 | 2,
    parent_id: '',
    mock: 0 as const,
    created_at: index * 100,
    updated_at: ((index * 7_919) % DEVICES) * 100,
  };
};

const furnishDevices = async (): Promise<void> => {
  const AT_ONCE = 2_000;
  for (let from = 0; from < DEVICES; from += AT_ONCE * 10)
    await db.transaction().execute(async (db) => {
      for (let start = from; start < Math.min(from + AT_ONCE * 10, DEVICES); start += AT_ONCE)
        await db
          .insertInto('device')
          .values(Array.from({ length: Math.min(AT_ONCE, DEVICES - start) }, (_, index) => deviceOf(start + index)))
          .execute();
    });
};

const columns = `d.*, p.product_name, p.node_type, p.protocol_id, c.category_name, c.english, a.application_name,
  t.tenancy_name, (select count(*) from device k where k.parent_id = d.device_id) as children`;
const joins = `from device d join product p on p.product_id = d.product_id
  join category c on c.category_id = p.category_id join application a on a.application_id = d.application_id
  join tenancy t on t.tenancy_id = d.tenancy_id`;

/** Hand-written SQL: the total count and the page. */
const byHand = async (db: Db, where: string, order: string, offset: number): Promise<void> => {
  await sql
    .raw(`select count(*) as total from device d join product p on p.product_id = d.product_id ${where}`)
    .execute(db);
  await sql.raw(`select ${columns} ${joins} ${where} order by ${order} limit 10 offset ${offset}`).execute(db);
};

const newest = 'd.created_at desc, d.device_id desc';
const last = DEVICES / 10;

const cases: { name: string; input: object; where: string; order?: string; offset?: number }[] = [
  { name: 'first page', input: {}, where: '' },
  { name: 'last page', input: { pageIndex: last }, where: '', offset: DEVICES - 10 },
  { name: 'by last change', input: { sortField: 2 }, where: '', order: 'd.updated_at desc, d.device_id desc' },
  { name: 'online', input: { online: 1 }, where: 'where d.online = 1' },
  { name: 'of a product', input: { productId: 'P7' }, where: "where d.product_id = 'P7'" },
  {
    name: 'of a product, online',
    input: { productId: 'P7', online: 1 },
    where: "where d.product_id = 'P7' and d.online = 1",
  },
  { name: 'of an application', input: { applicationId: 'app3' }, where: "where d.application_id = 'app3'" },
  {
    name: 'of an application, online',
    input: { applicationId: 'app3', online: 1 },
    where: "where d.application_id = 'app3' and d.online = 1",
  },
  { name: 'of a category', input: { categoryId: 'std-socket' }, where: "where p.category_id = 'std-socket'" },
  { name: 'gateways', input: { nodeType: 2 }, where: 'where p.node_type = 2' },
  {
    name: 'a word in the id',
    input: { deviceId: '0f42' },
    where: "where d.device_id_key like '%0f42%'",
  },
  { name: 'two letters that few have', input: { deviceId: 'zz' }, where: "where d.device_id_key like '%zz%'" },
  { name: 'two letters that all have', input: { deviceName: '设备' }, where: "where d.device_name_key like '%设备%'" },
  { name: 'two letters that none has', input: { deviceName: '客厅' }, where: "where d.device_name_key like '%客厅%'" },
  { name: 'two letters at the end', input: { deviceId: 'qy' }, where: "where d.device_id_key like '%qy%'" },
  { name: 'one letter', input: { deviceId: 'q' }, where: "where d.device_id_key like '%q%'" },
  {
    name: 'two letters anywhere',
    input: { searchValue: 'qq' },
    where: "where d.device_id_key like '%qq%' or d.device_name_key like '%qq%' or d.mac_key like '%qq%'",
  },
  {
    name: 'two letters and a product',
    input: { searchValue: '7c', productId: 'P7' },
    where:
      "where (d.device_id_key like '%7c%' or d.device_name_key like '%7c%' or d.mac_key like '%7c%') and d.product_id = 'P7'",
  },
  {
    name: 'by last change, last page',
    input: { sortField: 2, pageIndex: last },
    where: '',
    order: 'd.updated_at desc, d.device_id desc',
    offset: DEVICES - 10,
  },
  {
    name: 'of an application, by change',
    input: { sortField: 2, applicationId: 'app3' },
    where: "where d.application_id = 'app3'",
    order: 'd.updated_at desc, d.device_id desc',
  },
  {
    name: 'of an application, last page',
    input: { applicationId: 'app3', pageIndex: DEVICES / 20 / 10 },
    where: "where d.application_id = 'app3'",
    offset: DEVICES / 20 - 10,
  },
  {
    name: 'online, last page',
    input: { online: 1, pageIndex: Math.floor(DEVICES / 30) },
    where: 'where d.online = 1',
    offset: Math.floor(DEVICES / 30) * 10 - 10,
  },
  {
    name: 'application and category',
    input: { applicationId: 'app3', categoryId: 'std-socket' },
    where: "where d.application_id = 'app3' and p.category_id = 'std-socket'",
  },
  { name: 'a word in the name', input: { deviceName: '99999' }, where: "where d.device_name_key like '%99999%'" },
];

/** A separate connection, since each checkout has its own driver. */
const openOther = async (folder: string) => {
  const from = (file: string) => import(join(folder, 'packages/server/src', file));
  const own: { connect: typeof connect; connectRecords: typeof connectRecords } = await from('db/connect.ts');
  const { createDeviceService: create } = (await from('features/device/device.service.ts')) as {
    createDeviceService: typeof createDeviceService;
  };
  const bases = { db: own.connect(settings), records: own.connectRecords(settings) };
  return { service: create(bases), close: () => Promise.all([bases.db.destroy(), bases.records.destroy()]) };
};

const reportAgainst = (what: string, own: number[], other: number[]): void => {
  if (other.length === 0) return;
  const reference = { name: 'the other checkout', value: median(other) };
  report({ what, value: median(own), unit: 'ms', worst: Math.max(...own), reference });
};

const context = { actor: { platform: true, tenancyId: '1' }, language: 'zh_CN' } as unknown as Context;

try {
  await furnishOwners();
  await furnishDevices();
  // An idle PostgreSQL would do this itself within minutes.
  if (settings.DATABASE_URL) await sql.raw('vacuum analyze device').execute(db);
  const service = createDeviceService({ db, records });
  const other = process.env.BENCH_AGAINST ? await openOther(process.env.BENCH_AGAINST) : undefined;
  console.log(`${DEVICES} devices; milliseconds, median of ${ROUNDS}`);
  for (const { name, input, where, order = newest, offset = 0 } of cases) {
    const parsed = deviceCalls.queryDeviceList.input.parse(input);
    const [hub, hand, otherHub]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      const turns = [
        async () => hub.push(await timed(() => service.queryDeviceList(context, parsed))),
        async () => other && otherHub.push(await timed(() => other.service.queryDeviceList(context, parsed))),
      ];
      // The query after the hand-written SQL runs with a processor cache full of other rows.
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
      hand.push(await timed(() => byHand(db, where, order, offset)));
    }
    const reference = { name: 'SQL by hand', value: median(hand) };
    report({ what: `devices: ${name}`, value: median(hub), unit: 'ms', worst: Math.max(...hub), reference });
    reportAgainst(`devices: ${name}`, hub, otherHub);
  }
  const [counts, otherCounts]: [number[], number[]] = [[], []];
  const everything = deviceCalls.countDevices.input.parse({});
  for (let round = 0; round < ROUNDS; round++) {
    counts.push(await timed(() => service.countDevices(context, everything)));
    if (other) otherCounts.push(await timed(() => other.service.countDevices(context, everything)));
  }
  report({ what: 'devices: count by presence', value: median(counts), unit: 'ms', worst: Math.max(...counts) });
  reportAgainst('devices: count by presence', counts, otherCounts);
  await other?.close();
} finally {
  await db.destroy();
  await records.destroy();
  rmSync(dataDir, { recursive: true, force: true });
}
