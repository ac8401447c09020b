import { z } from 'zod';
import { boundedList, readJson } from '../bounded.ts';
import * as fields from '../fields.ts';
import { flag, formInt, formOption, saysUnlessEmpty, trimmedText } from '../fields.ts';

/** Size limit of a certificate file. */
export const CERTIFICATE_MAX_BYTES = 5 * 1024 * 1024;
export const certificateExtensions = ['cer', 'crt', 'pem', 'p12'] as const;
export const ZONE_NODES_MAX = 20;
export const ZONE_TENANTS_MAX = 1_000;
export const ZONE_ID_MAX = 2_147_483_647;

export const ZoneType = { inner: 1, outer: 2 } as const;
export const ServerType = { mqtt: 1, http: 2 } as const;

const required = { error: 'REQUIRED', abort: true } as const;
const CHINESE = /[\u3400-\u4dbf\u4e00-\u9fff]/;
const withoutChinese = (value: string): boolean => !CHINESE.test(value);

export const zoneId = () => formInt(1, ZONE_ID_MAX);
const length = { error: 'ZONE_LENGTH', abort: true } as const;

/** Any visible characters. */
export const zoneName = () =>
  trimmedText()
    .max(50, length)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, { error: 'INVALID' });

const hostOrNone = (written: z.ZodString) =>
  written.max(50, length).regex(/^[A-Za-z0-9.\-_:/]*$/, { error: 'INVALID' });

/** A host name or address, optionally with a scheme and port. */
const hostCharacters = () => hostOrNone(z.string().min(1, required));

/** Prefix of all topics of the zone: complete topic levels without wildcards. */
export const routeKey = () =>
  z
    .string()
    .min(1, required)
    .max(50, length)
    .regex(/^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/, { error: 'INVALID' });

export const zoneAddress = hostCharacters;

/** Optional: some brokers allow anonymous access. */
const nodeAccount = () => z.string().max(50).refine(withoutChinese, { error: 'ZONE_ACCOUNT' });
/** '' means no password. */
const nodePassword = () =>
  z
    .string()
    .refine(withoutChinese, { error: 'ZONE_ACCOUNT', abort: true })
    .regex(/^(?:[\x20-\x7e]{8,20})?$/, { error: 'ZONE_PASSWORD' });

const port = () =>
  z.pipe(
    z.transform<number, unknown>((value) =>
      typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value,
    ),
    z.int(saysUnlessEmpty('PORT')).min(0, { error: 'PORT' }).max(65_535, { error: 'PORT' }),
  );

/** An API key created on the other platform for this one; '' means none. */
const apiKey = () => z.string().regex(/^(?:dck_[A-Za-z0-9_-]{20,80})?$/, { error: 'API_KEY' });

const secrets = {
  /** If absent, the stored password stays; if empty, it is deleted. */
  password: nodePassword().optional(),
  /** Extension: password of a P12 file. */
  certificatePassword: z.string().max(100).optional(),
  /** Extension: 1 deletes the stored certificate. */
  removeCertificate: flag().default(0),
};

const innerNode = z.object({
  /** Id of an existing node; '' for a new one. */
  nodeId: fields.idOrNone().default(''),
  hostName: hostCharacters(),
  port: port(),
  serverType: formOption([1, 2]),
  username: nodeAccount().default(''),
  ...secrets,
  /** Extension: whether to use TLS. A scheme in the host name or a certificate also enables it. */
  tls: flag().default(0),
  /** Extension, for an HTTP node that is another platform: its API key. If absent, the stored one stays. */
  apiKey: apiKey().optional(),
});

const outerNode = z.object({
  nodeId: fields.idOrNone().default(''),
  bucketUrl: hostCharacters(),
  /** At most five digits, though ids of other platforms may be longer. */
  bucketZoneId: formInt(1, 99_999),
  /** Extension: API key of the other platform. If absent, the stored one stays; if empty, it is deleted. */
  apiKey: apiKey().optional(),
  certificatePassword: secrets.certificatePassword,
  removeCertificate: secrets.removeCertificate,
});

export type InnerNode = z.output<typeof innerNode>;
export type OuterNode = z.output<typeof outerNode>;
export const innerNodeFields = innerNode.shape;
export const outerNodeFields = outerNode.shape;

/** The fields of a node depend on the zone type. */
const nodeList = <Node extends z.ZodType>(node: Node) =>
  boundedList(node, { max: ZONE_NODES_MAX, tooMany: 'ZONE_TOO_MANY_NODES' });
export const innerNodes = nodeList(innerNode);
export const outerNodes = nodeList(outerNode);

/** A JSON array of `innerNodes` or `outerNodes`. */
const writtenNodes = () =>
  z.pipe(z.transform<unknown, unknown>(readJson), z.array(z.unknown(), { error: 'ZONE_NO_NODE' }));

export const zoneFields = {
  zoneName: zoneName(),
  zoneType: formOption([1, 2]),
  routeKey: routeKey(),
  address: zoneAddress(),
  isSyncModel: flag(),
  /** Extension. 1: syncs all tenants, including ones created later. */
  syncAll: flag().optional(),
  /** Extension: tenants to sync. If absent, they stay unchanged; a new zone gets the only tenant, or none. */
  syncTenancies: fields.idsOrNone(ZONE_TENANTS_MAX).optional(),
  nodes: writtenNodes().refine((nodes) => nodes.length > 0, { error: 'ZONE_NO_NODE' }),
};

/**
 * The hub itself serves the built-in zone: without nodes it needs no address. The schema cannot tell which zone is built
 * in; the hub checks that.
 */
export const changedZoneFields = { ...zoneFields, address: hostOrNone(z.string()), nodes: writtenNodes() };
