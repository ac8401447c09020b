import { MessageType } from '@device-center/contract';
import { quarterHourOf } from '../src/records/batch.ts';
import { rollUpCounters } from '../src/records/roll-up-counters.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import type { Hub } from './hub.ts';

const DAY_MS = 86_400_000;

/** All rows of a tenant with one device, of all tables. */
export const rowsOf = async ({ db, records }: Hub, tenancyId: string, deviceId: string) => {
  const managed = (table: 'tenancy' | 'application' | 'product' | 'device') =>
    db.selectFrom(table).selectAll().where('tenancy_id', '=', tenancyId).execute();
  const counted = records.selectFrom('quarter_counter').selectAll().where('tenancy_id', '=', tenancyId);
  const recorded = (table: 'message_record' | 'connect_record' | 'property_sample') =>
    records.selectFrom(table).selectAll().where('device_id', '=', deviceId).orderBy('record_id').execute();
  return {
    managed: await Promise.all((['tenancy', 'application', 'product', 'device'] as const).map(managed)),
    session: await db.selectFrom('device_session').selectAll().where('device_id', '=', deviceId).execute(),
    messages: await recorded('message_record'),
    connects: await recorded('connect_record'),
    samples: await recorded('property_sample'),
    counters: await counted.orderBy('quarter').execute(),
    total: await records.selectFrom('counter_total').selectAll().where('tenancy_id', '=', tenancyId).execute(),
  };
};

/** A tenant beside the demo data: a connected device, and counters old enough to be rolled up. */
export const createBystander = async (hub: Hub) => {
  const tenancyId = await hub.create.tenancy();
  const device = await connectNewDevice(hub, await createProductFixture(hub, {}, tenancyId));
  await device.send({ type: MessageType.config, payload: { properties: { power: true } } });
  await expectOnline(hub, device.deviceId, 1);
  const quarter = quarterHourOf(Date.now() - 10 * DAY_MS);
  await hub.records
    .insertInto('quarter_counter')
    .values({ quarter, tenancy_id: tenancyId, hub_no: 1, messages: 17, accesses: 3 })
    .execute();
  await rollUpCounters(hub.records);
  return { tenancyId, device };
};
