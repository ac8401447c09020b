import { type Language, ServerType, ZoneType } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import { readNodeAddress } from '../../platform/outbound/node-address.ts';

/** Built-in zones have an English name; all others have the text that users entered. */
export const zoneNameIn = (language: Language, row: { zone_name: string; english: string | null }): string =>
  language === 'en_US' && row.english ? row.english : row.zone_name;

/**
 * Decisions §4: devices may be placed only in an inner zone. Locks the zone, so that it stays one until the transaction
 * ends.
 */
export const findZoneForDevices = async (db: Db, zoneId: number): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('zone')
    .set((row) => ({ status: row.ref('status') }))
    .where('zone_id', '=', zoneId)
    .where('zone_type', '=', ZoneType.inner)
    .where('status', '=', 1)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const row = await db.selectFrom('zone').select('zone_id').where('zone_id', '=', zoneId).executeTakeFirst();
  throw new AppError(row ? 'ZONE_NOT_FOR_DEVICES' : 'ZONE_NOT_FOUND', {}, 'haZoneId');
};

/** Address for the devices of a zone, if the zone is enabled and has its own brokers. */
export const findZoneListener = async (db: Db, zoneId: number) => {
  const node = await db
    .selectFrom('zone')
    .innerJoin('zone_node', 'zone_node.zone_id', 'zone.zone_id')
    .select(['zone.address', 'zone_node.host_name', 'zone_node.port', 'zone_node.tls'])
    .where('zone.zone_id', '=', zoneId)
    .where('zone.zone_type', '=', ZoneType.inner)
    .where('zone.status', '=', 1)
    .where('zone_node.server_type', '=', ServerType.mqtt)
    .orderBy('zone_node.node_index')
    .limit(1)
    .executeTakeFirst();
  if (!node) return undefined;
  const own = readNodeAddress({ hostName: node.host_name, port: node.port, kind: 'mqtt', tls: node.tls === 1 });
  const { host, port, tls } = readNodeAddress({ hostName: node.address, port: own.port, kind: 'mqtt', tls: own.tls });
  return { host, port, tls };
};
