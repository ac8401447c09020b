import { z } from 'zod';
import { boundedList, readJson } from '../bounded.ts';
import * as fields from '../fields.ts';
import { flag, formInt, formOption, saysUnlessEmpty, trimmedText } from '../fields.ts';

/** The most a certificate file may have. */
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

/** Anything that can be seen. */
export const zoneName = () =>
  trimmedText()
    .max(50, length)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, { error: 'INVALID' });

const hostOrNone = (written: z.ZodString) =>
  written.max(50, length).regex(/^[A-Za-z0-9.\-_:/]*$/, { error: 'INVALID' });

/** A machine's name or address, with a scheme or a port where the writer likes. */
const hostCharacters = () => hostOrNone(z.string().min(1, required));

/** It begins every topic of the zone, so it is made of whole topic levels and no wildcard. */
export const routeKey = () =>
  z
    .string()
    .min(1, required)
    .max(50, length)
    .regex(/^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/, { error: 'INVALID' });

export const zoneAddress = hostCharacters;

/** Brokers that ask nobody for a name need none. */
const nodeAccount = () => z.string().max(50).refine(withoutChinese, { error: 'ZONE_ACCOUNT' });
/** '' is none. */
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

/** A key that the other hub has made for this one; '' is none. */
const apiKey = () => z.string().regex(/^(?:dck_[A-Za-z0-9_-]{20,80})?$/, { error: 'API_KEY' });

const secrets = {
  /** An absent password keeps the stored one, an empty one forgets it. */
  password: nodePassword().optional(),
  /** Extension: opens a P12 file. */
  certificatePassword: z.string().max(100).optional(),
  /** Extension: forgets the stored certificate. */
  removeCertificate: flag().default(0),
};

const innerNode = z.object({
  /** Of a node that is kept; a new one has none. */
  nodeId: fields.idOrNone().default(''),
  hostName: hostCharacters(),
  port: port(),
  serverType: formOption([1, 2]),
  username: nodeAccount().default(''),
  ...secrets,
  /** Extension: whether the connection is encrypted. A scheme in the name or a certificate says so too. */
  tls: flag().default(0),
  /** Extension, of an HTTP node that is another hub: what it knows this one by. Absent keeps the stored one. */
  apiKey: apiKey().optional(),
});

const outerNode = z.object({
  nodeId: fields.idOrNone().default(''),
  bucketUrl: hostCharacters(),
  /** Written to five digits; what other platforms have may be longer. */
  bucketZoneId: formInt(1, 99_999),
  /** Extension: what the other hub knows this one by. Absent keeps the stored one, empty forgets it. */
  apiKey: apiKey().optional(),
  certificatePassword: secrets.certificatePassword,
  removeCertificate: secrets.removeCertificate,
});

export type InnerNode = z.output<typeof innerNode>;
export type OuterNode = z.output<typeof outerNode>;
export const innerNodeFields = innerNode.shape;
export const outerNodeFields = outerNode.shape;

/** Which fields a node has depends on the zone's type, so the nodes are read by it. */
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
  /** Extension. 1: synchronises all tenants, also later ones. */
  syncAll: flag().optional(),
  /** Extension: the tenants that are synchronised. Absent keeps the stored ones; of a new zone the only tenant, or none. */
  syncTenancies: fields.idsOrNone(ZONE_TENANTS_MAX).optional(),
  nodes: writtenNodes().refine((nodes) => nodes.length > 0, { error: 'ZONE_NO_NODE' }),
};

/**
 * A zone that is born with the hub is served by it: without nodes it needs no address either. Which zone is such a
 * one the hub knows.
 */
export const changedZoneFields = { ...zoneFields, address: hostOrNone(z.string()), nodes: writtenNodes() };
