import { type FleetDistribution, type FleetState, fleetStates, PRODUCTS_SHOWN } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { Scope } from '../../db/scope.ts';
import { hasRehearsed, isOfFleet } from '../../domain/device/rehearsal-devices.ts';

/** The first matching state of a device, in the order of importance for operators. */
const stateOf = (now: number) => sql<FleetState>`case
  when online = 1 then 'online'
  when blacklisted = 1 then 'blacklisted'
  when kicked_until > ${now} then 'kicked'
  when first_connect_at = 0 then 'never'
  else 'offline' end`;

const fleetOf = async (db: Db, { tenancyId }: Scope) => {
  let rows = db.selectFrom('device');
  if (tenancyId !== null) rows = rows.where('tenancy_id', '=', tenancyId);
  return (await hasRehearsed(db)) ? rows.where(isOfFleet([])) : rows;
};
type Fleet = Awaited<ReturnType<typeof fleetOf>>;

const readProducts = async (fleet: Fleet) => {
  const rows = fleet
    .select((row) => [
      'product_id',
      row.fn.countAll<number>().as('devices'),
      sql<number>`sum(case when online = 1 then 1 else 0 end)`.as('online'),
    ])
    .groupBy('product_id');
  const all = (await rows.execute()).map((row) => ({
    productId: row.product_id,
    devices: Number(row.devices),
    online: Number(row.online),
  }));
  return all.sort((left, right) => right.devices - left.devices || (left.productId < right.productId ? -1 : 1));
};

const readStates = async (fleet: Fleet): Promise<FleetDistribution['states']> => {
  const rows = fleet
    .select((row) => [stateOf(Date.now()).as('state'), row.fn.countAll<number>().as('n')])
    .groupBy('state');
  const found = new Map((await rows.execute()).map(({ state, n }) => [state, Number(n)]));
  return Object.fromEntries(fleetStates.map((state) => [state, found.get(state) ?? 0])) as FleetDistribution['states'];
};

export const readDistribution = async (db: Db, scope: Scope): Promise<FleetDistribution> => {
  const fleet = await fleetOf(db, scope);
  const [products, states] = await Promise.all([readProducts(fleet), readStates(fleet)]);
  const shown = products.slice(0, PRODUCTS_SHOWN);
  const rest = products.slice(PRODUCTS_SHOWN);
  const names = new Map(
    shown.length === 0
      ? []
      : (
          await db
            .selectFrom('product')
            .select(['product_id', 'product_name'])
            .where(
              'product_id',
              'in',
              shown.map(({ productId }) => productId),
            )
            .execute()
        ).map((row) => [row.product_id, row.product_name]),
  );
  const sum = (of: 'devices' | 'online'): number => rest.reduce((total, product) => total + product[of], 0);
  return {
    products: shown.map((product) => ({ ...product, productName: names.get(product.productId) ?? '' })),
    others: { products: rest.length, devices: sum('devices'), online: sum('online') },
    states,
  };
};
