import {
  ConnectStatus,
  type Input,
  LATEST_SHOWN,
  type Language,
  type Output,
  type RejectedGroup,
  type recordCalls,
} from '@device-center/contract';
import { sql } from 'kysely';
import type { Db, RecordDb } from '../../db/connect.ts';
import { isOtherTenant, scopeOf } from '../../db/scope.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { iso } from '../../platform/time.ts';
import { readLatest } from './record.paging.ts';
import { connectAnswer, textContains } from './record.rows.ts';

type Calls = typeof recordCalls;
type RejectedQuery = Input<Calls['queryRefusedLogins']>;
type Group = {
  tenancy_id: string;
  product_id: string;
  device_id: string;
  reason: string;
  refusals: number;
  first_time: number;
  last_id: number;
};

const newest = sql`record_id desc`;

/** Queries rejected connections: individually, or grouped by device and cause. */
export const createRejectedQueries = ({ db, records }: { db: Db; records: RecordDb }) => {
  /** Tenants in scope: one, or all and '' (no tenant), so that the index by tenant is used in both cases. */
  const tenanciesOf = async (actor: Actor, requestedTenancyId: string | undefined): Promise<string[]> => {
    const { tenancyId } = scopeOf(actor, requestedTenancyId);
    if (tenancyId !== null) return [tenancyId];
    const rows = await db.selectFrom('tenancy').select('tenancy_id').execute();
    return ['', ...rows.map((row) => row.tenancy_id)];
  };

  const rejectionsOf = async (actor: Actor, { tenancyId, productId, deviceId }: RejectedQuery) => {
    let rows = records
      .selectFrom('connect_record')
      .selectAll()
      .where('tenancy_id', 'in', await tenanciesOf(actor, tenancyId))
      .where('status', '=', ConnectStatus.refused);
    if (productId) rows = rows.where('product_id', '=', productId);
    if (deviceId) rows = rows.where(textContains('device_id', deviceId));
    return rows;
  };

  /** Keyed by tenant and ID: a rejected login of one tenant's product may name another tenant's device. */
  const namesOf = async (groups: Group[]) => {
    const devices = await db
      .selectFrom('device')
      .select(['device_id', 'tenancy_id', 'device_name'])
      .where('device_id', 'in', [...new Set(groups.map((group) => group.device_id))])
      .execute();
    const products = await db
      .selectFrom('product')
      .select(['product_id', 'product_name'])
      .where('product_id', 'in', [...new Set(groups.map((group) => group.product_id))])
      .execute();
    const deviceNames = new Map(devices.map((row) => [`${row.tenancy_id} ${row.device_id}`, row.device_name]));
    const productNames = new Map(products.map((row) => [row.product_id, row.product_name]));
    return ({ tenancy_id, device_id, product_id }: Group) => ({
      deviceName: deviceNames.get(`${tenancy_id} ${device_id}`) ?? '',
      productName: productNames.get(product_id) ?? '',
    });
  };

  const latestOf = async (groups: Group[]) => {
    const rows = await records
      .selectFrom('connect_record')
      .selectAll()
      .where(
        'record_id',
        'in',
        groups.map((group) => group.last_id),
      )
      .execute();
    return new Map(rows.map((row) => [Number(row.record_id), row]));
  };

  const answersOf = async (language: Language, groups: Group[]): Promise<RejectedGroup[]> => {
    const [nameOf, latest] = await Promise.all([namesOf(groups), latestOf(groups)]);
    return groups.flatMap((group) => {
      const row = latest.get(Number(group.last_id));
      // Deleted by retention since the groups were read.
      if (!row) return [];
      const { connectTime, durationMs: _duration, status: _status, ...last } = connectAnswer(language, row);
      const firstTime = iso(Number(group.first_time));
      return [{ ...last, ...nameOf(group), count: Number(group.refusals), firstTime, lastTime: connectTime }];
    });
  };

  return {
    async queryRefusedLogins(
      { actor, language }: Context,
      input: RejectedQuery,
    ): Promise<Output<Calls['queryRefusedLogins']>> {
      const { pageIndex, pageSize } = input;
      if (isOtherTenant(actor, input.tenancyId)) return { pageIndex, pageSize, total: 0, list: [] };
      const page = await readLatest(records, await rejectionsOf(actor, input), newest, LATEST_SHOWN, input);
      return { ...page, list: page.list.map((row) => connectAnswer(language, row)) };
    },

    async queryRefusedLoginGroups(
      { actor, language }: Context,
      input: RejectedQuery,
    ): Promise<Output<Calls['queryRefusedLoginGroups']>> {
      const { pageIndex, pageSize, sortMode } = input;
      const empty = { pageIndex, pageSize, total: 0, list: [] };
      if (isOtherTenant(actor, input.tenancyId)) return empty;
      const latest = (await rejectionsOf(actor, input)).orderBy(newest).limit(LATEST_SHOWN);
      const by = sql`tenancy_id, product_id, device_id, reason`;
      const groups = sql`
        select ${by}, count(*) as refusals, min(connect_time) as first_time, max(record_id) as last_id
        from (${latest}) as latest group by ${by}`;
      const counted = await sql<{ n: number }>`select count(*) as n from (${groups}) as found`.execute(records);
      const total = Number(counted.rows[0]?.n ?? 0);
      const { rows } = await sql<Group>`
        ${groups} order by last_id ${sql.raw(sortMode === 1 ? 'asc' : 'desc')}
        limit ${pageSize} offset ${(pageIndex - 1) * pageSize}`.execute(records);
      return rows.length === 0
        ? { ...empty, total }
        : { pageIndex, pageSize, total, list: await answersOf(language, rows) };
    },
  };
};
