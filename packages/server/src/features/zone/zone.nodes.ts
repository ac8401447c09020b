import {
  type FieldError,
  fieldErrors,
  type InnerNode,
  innerNodes,
  issueText,
  type Language,
  type OuterNode,
  outerNodes,
  ServerType,
  ZoneType,
} from '@device-center/contract';
import { sealCertificate, type ZoneNodeRow } from '../../domain/zone/nodes.ts';
import { BadInput, type UploadedFiles } from '../../http/parse-input.ts';
import { AppError } from '../../platform/app-error.ts';
import { newId } from '../../platform/ids.ts';
import { readBucketUrl, readNodeAddress } from '../../platform/outbound/node-address.ts';
import { NodeFailure } from '../../platform/outbound/node-failure.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { readCertificateIsolated } from './zone.certificate-reader.ts';

export type SentNode = InnerNode | OuterNode;
type NodesInput = { zoneType: 1 | 2; nodes: unknown[]; language: Language };
type Secrets = Pick<SecretBox, 'seal'>;

const isInner = (node: SentNode): node is InnerNode => 'hostName' in node;

const innerAddress = ({ hostName, port, serverType, tls }: InnerAddress) =>
  readNodeAddress({ hostName, port, kind: serverType === ServerType.mqtt ? 'mqtt' : 'http', tls: tls === 1 });

const addressOf = (node: SentNode) => (isInner(node) ? innerAddress(node) : readBucketUrl(node.bucketUrl));

/** The errors of unusable addresses, each with the field that contains it. */
const addressErrors = (nodes: SentNode[], language: Language): FieldError[] =>
  nodes.flatMap((node, index) => {
    try {
      addressOf(node);
      return [];
    } catch (error) {
      if (!(error instanceof NodeFailure)) throw error;
      const message = issueText({ code: 'custom', message: 'INVALID' }, language);
      return [{ field: `nodes[${index}].${isInner(node) ? 'hostName' : 'bucketUrl'}`, message }];
    }
  });

/** Validates the nodes; their fields depend on the type of the zone. */
export const readNodes = ({ zoneType, nodes, language }: NodesInput): SentNode[] => {
  const rule = zoneType === ZoneType.inner ? innerNodes : outerNodes;
  const parsed = rule.safeParse(nodes, { reportInput: true });
  if (!parsed.success) throw new BadInput(fieldErrors(parsed.error.issues, language, ['nodes']));
  const errors = addressErrors(parsed.data, language);
  if (errors.length > 0) throw new BadInput(errors);
  return parsed.data;
};

/** An absent secret keeps the stored one, '' deletes it. */
export const sealedSecret = (secrets: Secrets, sent: string | undefined, stored: string): string => {
  if (sent === undefined) return stored;
  return sent === '' ? '' : secrets.seal(sent);
};

type StoredFile = Pick<ZoneNodeRow, 'certificate_sealed' | 'certificate_facts'>;

/** The certificate that was uploaded with a node, or the stored one. */
export type CertificateOf = (node: SentNode, index: number, stored: StoredFile) => StoredFile;

/** Reads uploaded certificates before the transaction: a rejected file changes nothing, and no transaction waits. */
export const readFiles = async (
  secrets: Secrets,
  nodes: SentNode[],
  files: UploadedFiles,
  language: Language,
): Promise<CertificateOf> => {
  const readFile = async (node: SentNode, field: string): Promise<StoredFile | undefined> => {
    const file = files.get(field);
    if (!file) return undefined;
    const password = node.certificatePassword ?? '';
    const { certificate, facts } = await readCertificateIsolated({ file, password, field, language });
    return { certificate_sealed: sealCertificate(secrets, certificate), certificate_facts: JSON.stringify(facts) };
  };
  const sent: (StoredFile | undefined)[] = [];
  // Sequentially, because each file needs a process.
  for (const [index, node] of nodes.entries()) sent.push(await readFile(node, `certificate${index}`));
  return (node, index, stored) => {
    const file = sent[index];
    if (file) return file;
    return node.removeCertificate === 1 ? { certificate_sealed: '', certificate_facts: '' } : stored;
  };
};

type StoredSecrets = Pick<ZoneNodeRow, 'password_sealed' | 'api_key_sealed'>;

/**
 * The stored secrets that must be entered again because the node's address has changed. Otherwise a user who may edit
 * a zone could send them to a machine of their own and read them there.
 */
export const secretsToRepeat = (
  stored: Target & StoredSecrets,
  target: Target,
  sent: { password?: string | undefined; apiKey?: string | undefined },
): ('password' | 'apiKey')[] => {
  const columns = ['host_name', 'port', 'server_type', 'tls', 'bucket_url'] as const;
  if (columns.every((column) => stored[column] === target[column])) return [];
  const repeated: ('password' | 'apiKey')[] = [];
  if (stored.password_sealed !== '' && sent.password === undefined) repeated.push('password');
  if (stored.api_key_sealed !== '' && sent.apiKey === undefined) repeated.push('apiKey');
  return repeated;
};

export const secretErrors = (names: readonly string[], language: Language, within = ''): FieldError[] =>
  names.map((name) => ({
    field: `${within}${name}`,
    message: issueText({ code: 'custom', message: 'SECRET_AGAIN' }, language),
  }));

type NewRow = Omit<ZoneNodeRow, 'created_at' | 'updated_at'>;

const EMPTY: Pick<ZoneNodeRow, 'password_sealed' | 'api_key_sealed' | 'certificate_sealed' | 'certificate_facts'> = {
  password_sealed: '',
  api_key_sealed: '',
  certificate_sealed: '',
  certificate_facts: '',
};

type Target = Pick<ZoneNodeRow, 'host_name' | 'port' | 'server_type' | 'tls' | 'bucket_url' | 'bucket_zone_id'>;
type InnerAddress = Pick<InnerNode, 'hostName' | 'port' | 'serverType' | 'tls'>;
type OuterAddress = Pick<OuterNode, 'bucketUrl' | 'bucketZoneId'>;

export const innerTarget = (node: InnerAddress, hasCertificate: boolean): Target => ({
  host_name: node.hostName,
  port: node.port,
  server_type: node.serverType,
  tls: hasCertificate || innerAddress(node).tls ? 1 : 0,
  bucket_url: '',
  bucket_zone_id: 0,
});

export const outerTarget = (node: OuterAddress): Target => ({
  host_name: '',
  port: 0,
  server_type: ServerType.http,
  tls: readBucketUrl(node.bucketUrl).tls ? 1 : 0,
  bucket_url: node.bucketUrl,
  bucket_zone_id: node.bucketZoneId,
});

const innerColumns = (secrets: Secrets, node: InnerNode, stored: typeof EMPTY, hasCertificate: boolean) => ({
  ...innerTarget(node, hasCertificate),
  username: node.username,
  password_sealed: sealedSecret(secrets, node.password, stored.password_sealed),
  api_key_sealed: sealedSecret(secrets, node.apiKey, stored.api_key_sealed),
});

const outerColumns = (secrets: Secrets, node: OuterNode, stored: typeof EMPTY) => ({
  ...outerTarget(node),
  username: '',
  password_sealed: '',
  api_key_sealed: sealedSecret(secrets, node.apiKey, stored.api_key_sealed),
});

/** The rows of a zone's nodes, each with the stored secrets of the same node. */
export const nodeRows = (
  secrets: Secrets,
  zoneId: number,
  nodes: SentNode[],
  certificateOf: CertificateOf,
  stored: ZoneNodeRow[],
  language: Language,
): NewRow[] => {
  const remaining = new Map(stored.map((row) => [row.node_id, row]));
  const errors: FieldError[] = [];
  const rows = nodes.map((node, index) => {
    const before = remaining.get(node.nodeId);
    if (node.nodeId !== '' && !before) throw new AppError('ZONE_NODE_NOT_FOUND', {}, `nodes[${index}].nodeId`);
    // A second node with the same id is then rejected.
    remaining.delete(node.nodeId);
    const previous = before ?? EMPTY;
    const file = certificateOf(node, index, previous);
    const columns = isInner(node)
      ? innerColumns(secrets, node, previous, file.certificate_sealed !== '')
      : outerColumns(secrets, node, previous);
    if (before) errors.push(...secretErrors(secretsToRepeat(before, columns, node), language, `nodes[${index}].`));
    const { certificate_sealed, certificate_facts } = file;
    return {
      node_id: before?.node_id ?? newId(),
      zone_id: zoneId,
      node_index: index,
      ...columns,
      certificate_sealed,
      certificate_facts,
    };
  });
  if (errors.length > 0) throw new BadInput(errors);
  return rows;
};
