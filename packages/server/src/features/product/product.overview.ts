import { type Input, type ProductOverview, type productCalls, VERSIONS_SHOWN } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { type BareDevices, devicesOf } from '../../db/devices.ts';
import { findProduct } from '../../db/products.ts';
import { hasRehearsed, isOfFleet } from '../../db/rehearsed-devices.ts';
import type { Context } from '../../platform/actor.ts';
import { memoizeWithTtl } from '../../platform/memoize-with-ttl.ts';
import { lastDays } from '../../platform/time-zone.ts';

type Calls = typeof productCalls;

/** How old figures may be that many watch at once. */
const KEPT_MS = 5_000;
const DAYS = 30;

const readPresence = async (rows: BareDevices) => {
  const counts = await rows
    .select((row) => ['device.online', row.fn.countAll<number>().as('n')])
    .groupBy('device.online')
    .execute();
  const count = (online: 1 | 2) => Number(counts.find((row) => row.online === online)?.n ?? 0);
  return { devices: count(1) + count(2), online: count(1) };
};

const readVersions = async (rows: BareDevices): Promise<Pick<ProductOverview, 'versions' | 'otherVersions'>> => {
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

/** Only what was added since is read: what was there before is the rest. */
const readDays = async (rows: BareDevices, devices: number, timezone: string): Promise<ProductOverview['days']> => {
  const spans = lastDays(timezone, DAYS, Date.now());
  const [first] = spans;
  if (!first) return [];
  const day = sql<number>`case ${sql.join(
    spans.map(({ to }, place) => sql`when device.created_at < ${to} then ${sql.lit(place)}`),
    sql` `,
  )} else ${sql.lit(DAYS - 1)} end`;
  const counts = await rows
    .select((row) => [day.as('day'), row.fn.countAll<number>().as('n')])
    .where('device.created_at', '>=', first.from)
    .groupBy('day')
    .execute();
  const added = new Map(counts.map((row) => [Number(row.day), Number(row.n)]));
  let there = devices - [...added.values()].reduce((sum, n) => sum + n, 0);
  return spans.map(({ name }, place) => {
    there += added.get(place) ?? 0;
    return { date: name, devices: there };
  });
};

/** The devices of a product in figures, each read by an index that holds nothing else. */
export const createProductOverview = ({ db }: { db: Db }) => {
  const kept = memoizeWithTtl<ProductOverview>(KEPT_MS);

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
      return kept(`${productId}\n${timezone}`, () => read(productId, timezone));
    },
  };
};
