import type { Input, zoneCalls } from '@device-center/contract';
import type { ZoneNodeRow } from '../../domain/zone/nodes.ts';
import { attributesOf } from './zone.view.ts';

type AuditedZone = Pick<
  Input<(typeof zoneCalls)['modifyZone']>,
  'zoneName' | 'zoneType' | 'routeKey' | 'address' | 'isSyncModel'
>;

/** For the audit log: secrets only as present or absent, certificates as fingerprints. */
const nodeForAudit = (row: Omit<ZoneNodeRow, 'created_at' | 'updated_at'>) => ({
  ...(row.host_name === ''
    ? { bucketUrl: row.bucket_url, bucketZoneId: row.bucket_zone_id, apiKey: row.api_key_sealed === '' ? '' : '***' }
    : {
        hostName: row.host_name,
        port: row.port,
        serverType: row.server_type,
        username: row.username,
        password: row.password_sealed === '' ? null : '***',
        tls: row.tls,
      }),
  certificate: row.certificate_facts === '' ? '' : attributesOf(row).fingerprint,
});

export const forAudit = (zone: AuditedZone, nodes: Parameters<typeof nodeForAudit>[0][]) => ({
  zoneName: zone.zoneName,
  zoneType: zone.zoneType,
  routeKey: zone.routeKey,
  address: zone.address,
  isSyncModel: zone.isSyncModel,
  nodes: nodes.map(nodeForAudit),
});
