import { type Input, issueText, type Language, ServerType, ZoneType, type zoneCalls } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { uniqueViolation } from '../../db/errors.ts';
import { withAudit } from '../../db/with-audit.ts';
import { requestDisconnect, revokeTokens } from '../../domain/device/instructions.ts';
import { PLATFORM } from '../../domain/tenant/platform-ids.ts';
import type { ZoneNodeRow } from '../../domain/zone/nodes.ts';
import { zoneNameIn } from '../../domain/zone/zones.ts';
import { BadInput, type UploadedFiles } from '../../http/parse-input.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { readNodeAddress } from '../../platform/outbound/node-address.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { forAudit } from './zone.audit.ts';
import { nodeRows, readFiles, readNodes } from './zone.nodes.ts';
import { saveScope } from './zone.tenancies.ts';
import { createZoneView, findNodes, findZone } from './zone.view.ts';

type Calls = typeof zoneCalls;
type Deps = { db: Db; secrets: Pick<SecretBox, 'seal'>; notifier: Pick<Notifier, 'send'> };
type Zone = Awaited<ReturnType<typeof findZone>>;
type ZoneInput = Omit<Input<Calls['modifyZone']>, 'id'>;

const DISCONNECT_BATCH = 500;

const auditOf = (zone: { zone_id: number; zone_name: string }) => ({
  tenancyId: PLATFORM.tenancyId,
  targetId: String(zone.zone_id),
  targetName: zone.zone_name,
});

/** Devices connect to this address, so it must be valid. */
const checkAddress = ({ zoneType, address }: ZoneInput, language: Language): void => {
  if (zoneType !== ZoneType.inner || address === '') return;
  try {
    readNodeAddress({ hostName: address, port: 0, kind: 'mqtt', tls: false });
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    const message = issueText({ code: 'custom', message: 'INVALID' }, language);
    throw new BadInput([{ field: 'address', message }]);
  }
};

/** The hub itself serves built-in zones without nodes; any other zone needs nodes and an address. */
const checkServed = ({ builtin }: Zone, { nodes, address }: ZoneInput, language: Language): void => {
  if (builtin === 1 && nodes.length === 0) return;
  const fieldError = (field: string, issue: 'ZONE_NO_NODE' | 'REQUIRED') =>
    new BadInput([{ field, message: issueText({ code: 'custom', message: issue }, language) }]);
  if (nodes.length === 0) throw fieldError('nodes', 'ZONE_NO_NODE');
  if (address === '') throw fieldError('address', 'REQUIRED');
};

const mapConflicts = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (uniqueViolation(error) === 'zone.zone_name_key') throw new AppError('ZONE_NAME_TAKEN', {}, 'zoneName');
    throw error;
  }
};

/** Locks the zone until the transaction ends, so that no device is added to it and no other call changes it. */
const lockZone = async (db: Db, zoneId: number): Promise<Zone> => {
  await db
    .updateTable('zone')
    .set((row) => ({ status: row.ref('status') }))
    .where('zone_id', '=', zoneId)
    .execute();
  return findZone(db, zoneId);
};

const countDevices = async (db: Db, zoneId: number): Promise<number> => {
  const row = await db
    .selectFrom('device')
    .select(({ fn }) => fn.countAll<number>().as('devices'))
    .where('zone_id', '=', zoneId)
    .executeTakeFirst();
  return Number(row?.devices ?? 0);
};

/** Ids are never reused, because other platforms may refer to them. */
const nextId = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    update zone_sequence set next_id = next_id + 1 where sequence_no = 1 returning next_id - 1 as id`.execute(db);
  return Number(rows[0]?.id);
};

/** The names of built-in zones are translated; the translation is removed when the name changes. */
const nameColumns = (language: Language, zone: Zone | undefined, zoneName: string) =>
  zone && zoneNameIn(language, zone) === zoneName
    ? {}
    : { zone_name: zoneName, zone_name_key: foldCase(zoneName), english: null };

const columnsOf = (input: ZoneInput) => ({
  zone_type: input.zoneType,
  route_key: input.routeKey,
  address: input.address,
  is_sync_model: input.isSyncModel,
});

export const createZoneService = ({ db, secrets, notifier }: Deps) => {
  const readInput = async ({ language }: Context, input: ZoneInput, files: UploadedFiles) => {
    checkAddress(input, language);
    const nodes = readNodes({ ...input, language });
    return { nodes, certificateOf: await readFiles(secrets, nodes, files, language) };
  };

  const checkType = async (db: Db, zone: Zone, zoneType: 1 | 2): Promise<void> => {
    if (zoneType !== ZoneType.outer || zone.zone_type === ZoneType.outer) return;
    if (zone.builtin === 1) throw new AppError('ZONE_BUILT_IN', {}, 'zoneType');
    const devices = await countDevices(db, zone.zone_id);
    if (devices > 0) throw new AppError('ZONE_TYPE_HAS_DEVICES', { zoneName: zone.zone_name, devices }, 'zoneType');
  };

  /** Nodes that stay keep their rows, and with them their connection status. */
  const saveNodes = async (db: Db, zoneId: number, rows: ReturnType<typeof nodeRows>, stored: ZoneNodeRow[]) => {
    const now = Date.now();
    const ids = rows.map((row) => row.node_id);
    await db
      .deleteFrom('zone_node')
      .where('zone_id', '=', zoneId)
      .where('node_id', 'not in', ['', ...ids])
      .execute();
    // Check results of previous addresses do not apply to new ones.
    await db
      .deleteFrom('zone_node_check')
      .where('node_id', 'in', ['', ...stored.map((row) => row.node_id)])
      .execute();
    // Indexes are unique within a zone: negative values make room for the new order.
    await db
      .updateTable('zone_node')
      .set((row) => ({ node_index: sql<number>`-1 - ${row.ref('node_index')}` }))
      .where('zone_id', '=', zoneId)
      .execute();
    const known = new Set(stored.map((row) => row.node_id));
    for (const { node_id, ...row } of rows) {
      if (known.has(node_id))
        await db
          .updateTable('zone_node')
          .set({ ...row, updated_at: now })
          .where('node_id', '=', node_id)
          .execute();
      else
        await db
          .insertInto('zone_node')
          .values({ node_id, ...row, created_at: now, updated_at: now })
          .execute();
    }
  };

  return Object.assign(createZoneView({ db }), {
    async addZone(context: Context, input: Input<Calls['addZone']>, files: UploadedFiles): Promise<{ id: number }> {
      const { nodes, certificateOf } = await readInput(context, input, files);
      const status = input.status ?? 1;
      const id = await mapConflicts(
        withAudit(db, context, async (db) => {
          const zone_id = await nextId(db);
          const now = Date.now();
          const zone_name = input.zoneName;
          await db
            .insertInto('zone')
            .values({
              ...{ zone_id, zone_name, zone_name_key: foldCase(zone_name), english: null, status },
              ...columnsOf(input),
              created_at: now,
              updated_at: now,
            })
            .execute();
          const rows = nodeRows(secrets, zone_id, nodes, certificateOf, [], context.language);
          await saveNodes(db, zone_id, rows, []);
          const scope = await saveScope(db, zone_id, input, true);
          const after = { ...forAudit(input, rows), ...scope.after, status };
          return { result: zone_id, audit: { ...auditOf({ zone_id, zone_name }), after } };
        }),
      );
      notifier.send('zone');
      return { id };
    },

    async modifyZone(context: Context, input: Input<Calls['modifyZone']>, files: UploadedFiles): Promise<null> {
      const { nodes, certificateOf } = await readInput(context, input, files);
      await mapConflicts(
        withAudit(db, context, async (db) => {
          const zone = await lockZone(db, input.id);
          checkServed(zone, input, context.language);
          await checkType(db, zone, input.zoneType);
          const stored = await findNodes(db, input.id);
          // Nodes of a zone that changes its type share no columns with the previous ones.
          const reusable = zone.zone_type === input.zoneType ? stored : [];
          const rows = nodeRows(secrets, input.id, nodes, certificateOf, reusable, context.language);
          await db
            .updateTable('zone')
            .set((row) => ({
              ...nameColumns(context.language, zone, input.zoneName),
              ...columnsOf(input),
              revision: sql<number>`${row.ref('revision')} + 1`,
              updated_at: Date.now(),
            }))
            .where('zone_id', '=', input.id)
            .execute();
          await saveNodes(db, input.id, rows, reusable);
          const scope = await saveScope(db, input.id, input, stored.length === 0 && rows.length > 0);
          const before = forAudit(
            {
              zoneName: zoneNameIn(context.language, zone),
              zoneType: zone.zone_type,
              routeKey: zone.route_key,
              address: zone.address,
              isSyncModel: zone.is_sync_model,
            },
            stored,
          );
          return {
            result: null,
            audit: {
              ...auditOf(zone),
              before: { ...before, ...scope.before },
              after: { ...forAudit(input, rows), ...scope.after },
            },
          };
        }),
      );
      notifier.send('zone');
      return null;
    },

    async setZoneState(context: Context, { id, status }: Input<Calls['setZoneState']>): Promise<null> {
      await withAudit(db, context, async (db) => {
        const zone = await lockZone(db, id);
        await db
          .updateTable('zone')
          .set((row) => ({ status, revision: sql<number>`${row.ref('revision')} + 1`, updated_at: Date.now() }))
          .where('zone_id', '=', id)
          .execute();
        return { result: null, audit: { ...auditOf(zone), before: { status: zone.status }, after: { status } } };
      });
      notifier.send('zone');
      return null;
    },

    async removeZone(context: Context, { id }: Input<Calls['removeZone']>): Promise<null> {
      await withAudit(db, context, async (db) => {
        const zone = await lockZone(db, id);
        if (zone.builtin === 1) throw new AppError('ZONE_BUILT_IN');
        const devices = await countDevices(db, id);
        if (devices > 0) throw new AppError('ZONE_HAS_DEVICES', { zoneName: zone.zone_name, devices });
        await db.deleteFrom('zone').where('zone_id', '=', id).execute();
        const before = { zoneName: zone.zone_name, zoneType: zone.zone_type, routeKey: zone.route_key };
        return { result: null, audit: { ...auditOf(zone), before } };
      });
      notifier.send('zone');
      return null;
    },

    /** A device gets its zone's address at login, so the hub ends the sessions of devices connected elsewhere. */
    async moveZoneDevices(context: Context, { id }: Input<Calls['moveZoneDevices']>): Promise<{ devices: number }> {
      const devices = await withAudit(db, context, async (db) => {
        const zone = await findZone(db, id);
        const brokers = (await findNodes(db, id)).filter((node) => node.server_type === ServerType.mqtt);
        const served = zone.status === 1 && zone.zone_type === ZoneType.inner && brokers.length > 0;
        const elsewhere = await db
          .selectFrom('device')
          .select('device_id')
          .where('zone_id', '=', id)
          .where('online', '=', 1)
          // A child uses the connection of its gateway.
          .where('parent_id', '=', '')
          .where('link_zone_id', '!=', served ? id : 0)
          .execute();
        const ids = elsewhere.map((row) => row.device_id);
        for (let from = 0; from < ids.length; from += DISCONNECT_BATCH) {
          const batch = ids.slice(from, from + DISCONNECT_BATCH);
          await revokeTokens(db, batch);
          await requestDisconnect(db, 'device', batch, 'moved');
        }
        return { result: ids.length, audit: { ...auditOf(zone), after: { devices: ids.length } } };
      });
      notifier.send('instruction');
      return { devices };
    },
  });
};
