import { ServerType } from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { ZoneNodeTable } from '../../db/hub-tables.ts';
import { storedJson, storedSecret } from '../../db/stored.ts';
import { type NodeAddress, readBucketUrl, readNodeAddress } from '../../platform/outbound/node-address.ts';
import type { NodeCertificate } from '../../platform/outbound/open-socket.ts';
import type { SecretBox } from '../../platform/secret-box.ts';

export type ZoneNodeRow = Selectable<ZoneNodeTable>;

type Where = Pick<ZoneNodeRow, 'host_name' | 'port' | 'server_type' | 'tls' | 'bucket_url'>;

/** A node with a bucket URL is another platform, reached by HTTP whatever its server type. */
export const nodeKindOf = (row: Pick<Where, 'server_type' | 'bucket_url'>): 'mqtt' | 'http' =>
  row.bucket_url === '' && row.server_type === ServerType.mqtt ? 'mqtt' : 'http';

export const nodeAddressOf = (row: Where): NodeAddress =>
  row.bucket_url === ''
    ? readNodeAddress({ hostName: row.host_name, port: row.port, kind: nodeKindOf(row), tls: row.tls === 1 })
    : readBucketUrl(row.bucket_url);

/** JSON form of a certificate before sealing: bytes are Base64. */
type StoredCertificate =
  | { use: 'trust'; pem: string }
  | { use: 'identity'; pem: string; key: string }
  | { use: 'identity'; p12: string; password: string };

export const sealCertificate = (secrets: Pick<SecretBox, 'seal'>, certificate: NodeCertificate): string => {
  const encoded: StoredCertificate =
    'p12' in certificate ? { ...certificate, p12: certificate.p12.toString('base64') } : certificate;
  return secrets.seal(JSON.stringify(encoded));
};

const openCertificate = (
  secrets: Pick<SecretBox, 'open'>,
  sealed: string,
  nodeId: string,
): NodeCertificate | undefined => {
  if (sealed === '') return undefined;
  const encoded = storedJson<StoredCertificate>(
    storedSecret(secrets, sealed, 'zone_node', nodeId),
    'zone_node',
    nodeId,
  );
  return 'p12' in encoded ? { ...encoded, p12: Buffer.from(encoded.p12, 'base64') } : encoded;
};

type Sealed = Pick<ZoneNodeRow, 'node_id' | 'password_sealed' | 'api_key_sealed' | 'certificate_sealed'>;
export type NodeSecrets = { password: string; apiKey: string; certificate: NodeCertificate | undefined };

/** Credentials of a node; '' where it has none. */
export const openNodeSecrets = (secrets: Pick<SecretBox, 'open'>, row: Sealed): NodeSecrets => {
  const open = (sealed: string): string =>
    sealed === '' ? '' : storedSecret(secrets, sealed, 'zone_node', row.node_id);
  return {
    password: open(row.password_sealed),
    apiKey: open(row.api_key_sealed),
    certificate: openCertificate(secrets, row.certificate_sealed, row.node_id),
  };
};

const NO_SECRETS: NodeSecrets = { password: '', apiKey: '', certificate: undefined };

/** Returns `fault` if the secrets cannot be opened, so that one node does not break the others. */
export const tryNodeSecrets = (
  secrets: Pick<SecretBox, 'open'>,
  row: Sealed,
): { opened: NodeSecrets; fault?: unknown } => {
  try {
    return { opened: openNodeSecrets(secrets, row) };
  } catch (fault) {
    return { opened: NO_SECRETS, fault };
  }
};

/** A node whose secrets cannot be opened fails when its address is needed, like an unreachable node. */
export const nodeAccess = (
  secrets: Pick<SecretBox, 'open'>,
  row: ZoneNodeRow,
): NodeSecrets & { address: () => NodeAddress } => {
  const { opened, fault } = tryNodeSecrets(secrets, row);
  const address = (): NodeAddress => {
    if (fault) throw fault;
    return nodeAddressOf(row);
  };
  return { ...opened, address };
};
