import {
  innerNodeFields,
  outerNodeFields,
  ServerType,
  type ZoneDetails,
  type ZoneNode,
  ZoneType,
  zoneFields,
} from '@device-center/contract';
import { z } from 'zod';
import type { TestedNode } from '../node-test.tsx';

/** Form values of a node; the zone type decides which fields are used. */
export type NodeValues = {
  /** '' for a new node. */
  nodeId: string;
  hostName: string;
  port: string;
  serverType: 1 | 2;
  username: string;
  password: string;
  forgetPassword: boolean;
  tls: 0 | 1;
  bucketUrl: string;
  bucketZoneId: string;
  apiKey: string;
  forgetApiKey: boolean;
  certificate: File | null;
  certificatePassword: string;
  removeCertificate: 0 | 1;
};

export type TenantValue = { value: string; label: string };

export type ZoneValues = {
  zoneName: string;
  zoneType: 1 | 2;
  routeKey: string;
  address: string;
  isSyncModel: 0 | 1;
  syncAll: 0 | 1;
  syncTenancies: TenantValue[];
  status: 0 | 1;
  nodes: NodeValues[];
};

/** Default ports of a service, without and with TLS. */
const usualPorts = { [ServerType.mqtt]: ['1883', '8883'], [ServerType.http]: ['80', '443'] } as const;
export const usualPort = (serverType: 1 | 2, tls: 0 | 1): string => usualPorts[serverType][tls];
const isUsualPort = (port: string): boolean =>
  Object.values(usualPorts)
    .flat()
    .some((usual) => usual === port);
/** The default port for service and TLS, unless the user has entered another port. */
export const portAfter = (port: string, serverType: 1 | 2, tls: 0 | 1): string =>
  port === '' || isUsualPort(port) ? usualPort(serverType, tls) : port;

export const emptyNode = (): NodeValues => ({
  nodeId: '',
  hostName: '',
  port: usualPort(ServerType.mqtt, 0),
  serverType: ServerType.mqtt,
  username: '',
  password: '',
  forgetPassword: false,
  tls: 0,
  bucketUrl: '',
  bucketZoneId: '',
  apiKey: '',
  forgetApiKey: false,
  certificate: null,
  certificatePassword: '',
  removeCertificate: 0,
});

export const isUntouched = (node: NodeValues): boolean => JSON.stringify(node) === JSON.stringify(emptyNode());

const valuesOfNode = (node: ZoneNode): NodeValues => ({
  ...emptyNode(),
  nodeId: node.nodeId,
  hostName: node.hostName,
  port: String(node.port),
  serverType: node.serverType,
  username: node.username,
  tls: node.tls,
  bucketUrl: node.bucketUrl,
  bucketZoneId: node.bucketZoneId === 0 ? '' : String(node.bucketZoneId),
});

export const newZone = (): ZoneValues => ({
  zoneName: '',
  zoneType: ZoneType.inner,
  routeKey: '',
  address: '',
  isSyncModel: 0,
  syncAll: 0,
  syncTenancies: [],
  status: 1,
  nodes: [emptyNode()],
});

export const valuesOf = (zone: ZoneDetails): ZoneValues => ({
  zoneName: zone.zoneName,
  zoneType: zone.zoneType,
  routeKey: zone.routeKey,
  address: zone.address,
  isSyncModel: zone.isSyncModel,
  syncAll: zone.syncAll,
  syncTenancies: zone.syncTenancies.map(({ tenancyId, tenancyName }) => ({ value: tenancyId, label: tenancyName })),
  status: zone.status,
  nodes: zone.nodes.map(valuesOfNode),
});

/** Omitted keeps the stored secret, '' deletes it. */
const secret = <Key extends string>(key: Key, typed: string, forget: boolean): Partial<Record<Key, string>> => {
  if (typed === '' && !forget) return {};
  return { [key]: typed } as Record<Key, string>;
};

/** Whether a file can have a password: P12 files do, and keys in PEM files may. */
export const mayHavePassword = (file: File | null | undefined): boolean => /\.(p12|pem)$/i.test(file?.name ?? '');

const certificatePart = (node: NodeValues) => ({
  removeCertificate: node.certificate ? (0 as const) : node.removeCertificate,
  ...secret('certificatePassword', mayHavePassword(node.certificate) ? node.certificatePassword : '', false),
});

const innerPart = (node: NodeValues) => ({
  nodeId: node.nodeId,
  hostName: node.hostName,
  port: node.port,
  serverType: node.serverType,
  username: node.username,
  tls: node.tls,
  ...secret('password', node.password, node.forgetPassword),
  // Only nodes that are called over HTTP have an API key.
  ...(node.serverType === ServerType.http ? secret('apiKey', node.apiKey, node.forgetApiKey) : {}),
  ...certificatePart(node),
});

const outerPart = (node: NodeValues) => ({
  nodeId: node.nodeId,
  bucketUrl: node.bucketUrl,
  bucketZoneId: node.bucketZoneId,
  ...secret('apiKey', node.apiKey, node.forgetApiKey),
  ...certificatePart(node),
});

/** Input of the call: nodes with the fields of their zone type, and their files. */
export const sentZone = ({ syncAll, syncTenancies, nodes, ...zone }: ZoneValues) => ({
  zoneName: zone.zoneName,
  zoneType: zone.zoneType,
  routeKey: zone.routeKey,
  address: zone.address,
  isSyncModel: zone.isSyncModel,
  syncAll,
  ...(syncAll === 1 ? {} : { syncTenancies: syncTenancies.map(({ value }) => value) }),
  nodes: nodes.map((node) => (zone.zoneType === ZoneType.inner ? innerPart(node) : outerPart(node))),
  files: nodes.map(({ certificate }) => certificate),
});

export const testedNode = ({ zoneType, routeKey }: ZoneValues, node: NodeValues): TestedNode =>
  ({
    zoneType,
    // An incomplete route key must not fail the test of the node.
    routeKey: testable(routeKey) ? routeKey : '',
    ...(zoneType === ZoneType.inner ? innerPart(node) : outerPart(node)),
    files: [node.certificate],
  }) as TestedNode;

/** Reports an empty field as REQUIRED instead of any other error. */
const required = (schema: z.ZodType) =>
  z
    .string()
    .min(1, { error: 'REQUIRED', abort: true })
    .pipe(schema as z.ZodType<unknown, string>);

export const nodeRules = {
  hostName: innerNodeFields.hostName,
  port: required(innerNodeFields.port),
  username: innerNodeFields.username,
  password: innerNodeFields.password.unwrap(),
  bucketUrl: outerNodeFields.bucketUrl,
  bucketZoneId: required(outerNodeFields.bucketZoneId),
  apiKey: outerNodeFields.apiKey.unwrap(),
  certificatePassword: innerNodeFields.certificatePassword,
};

const testable = (routeKey: string): boolean => zoneFields.routeKey.safeParse(routeKey).success;

const KEY_MAX = 50;
/** Route key from the letters and digits of the zone name. */
export const suggestedKey = (zoneName: string): string =>
  (zoneName.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-').slice(0, KEY_MAX);
