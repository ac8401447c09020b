import { type Input, type ProductOverview, type productCalls, VERSIONS_SHOWN } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { type DeviceQuery, devicesOf } from '../../domain/device/devices.ts';
import { hasRehearsed, isOfFleet } from '../../domain/device/rehearsal-devices.ts';
import { findProduct } from '../../domain/product/products.ts';
import type { Context } from '../../platform/actor.ts';
import { memoizeWithTtl } from '../../platform/memoize-with-ttl.ts';
import { lastDays } from '../../platform/time-zone.ts';

type Calls = typeof productCalls;

/** Figures are cached this long, because many users may watch them at once. */
const CACHE_MS = 5_000;
const DAYS = 30;

const readPresence = async (rows: DeviceQuery) => {
  const counts = await rows
    .select((row) => ['device.online', row.fn.countAll<number>().as('n')])
    .groupBy('device.online')
    .execute();
  const count = (online: 1 | 2) => Number(counts.find((row) => row.online === online)?.n ?? 0);
  return { devices: count(1) + count(2), online: count(1) };
};

const readVersions = async (rows: DeviceQuery): Promise<Pick<ProductOverview, 'versions' | 'otherVersions'>> => {
  const counts = await rows
    .select((row) => ['device.version_number', row.fn.countAll<number>().as('n')])
    .groupBy('device.version_number')
    .orderBy('n', 'desc')
    .orderBy('device.version_number')
    .execute();
  const versions = counts.map((row) => ({ versionNumber: row.version_number, devices: Number(row.n) }));
  const others = versions.slice(VERSIONS_SHOWN);
  return {
    versions: versions.slice(0, VERSIONS_SHOWN),
    otherVersions: { versions: others.length, devices: others.reduce((sum, { devices }) => sum + devices, 0) },
  };
};

/** Reads only the devices added in the period; the number before it is the rest of the total. */
const readDays = async (rows: DeviceQuery, devices: number, timezone: string): Promise<ProductOverview['days']> => {
  const spans = lastDays(timezone, DAYS, Date.now());
  const [first] = spans;
  if (!first) return [];
  const day = sql<number>`case ${sql.join(
    spans.map(({ to }, index) => sql`when device.created_at < ${to} then ${sql.lit(index)}`),
    sql` `,
  )} else ${sql.lit(DAYS - 1)} end`;
  const counts = await rows
    .select((row) => [day.as('day'), row.fn.countAll<number>().as('n')])
    .where('device.created_at', '>=', first.from)
    .groupBy('day')
    .execute();
  const added = new Map(counts.map((row) => [Number(row.day), Number(row.n)]));
  let total = devices - [...added.values()].reduce((sum, n) => sum + n, 0);
  return spans.map(({ name }, index) => {
    total += added.get(index) ?? 0;
    return { date: name, devices: total };
  });
};

/** The device figures of a product; each query is covered by an index. */
export const createProductOverview = ({ db }: { db: Db }) => {
  const cached = memoizeWithTtl<ProductOverview>(CACHE_MS);

  const read = async (productId: string, timezone: string): Promise<ProductOverview> => {
    let rows = (await devicesOf(db, { tenancyId: null })).where('device.product_id', '=', productId);
    if (await hasRehearsed(db)) rows = rows.where(isOfFleet([]));
    const presence = await readPresence(rows);
    const [versions, days] = await Promise.all([readVersions(rows), readDays(rows, presence.devices, timezone)]);
    return { ...presence, ...versions, days };
  };

  return {
    async getProductOverview({ actor }: Context, { productId, timezone = 'UTC' }: Input<Calls['getProductOverview']>) {
      await findProduct(db, actor, productId);
      return cached(`${productId}\n${timezone}`, () => read(productId, timezone));
    },
  };
};
