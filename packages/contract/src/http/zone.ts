import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, flag, formOption, idOrNone, search } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { nodeProblems } from '../zone-errors.ts';
import {
  CERTIFICATE_MAX_BYTES,
  changedZoneFields,
  innerNodeFields,
  outerNodeFields,
  routeKey,
  ZONE_NODES_MAX,
  zoneFields,
  zoneId,
} from './zone-fields.ts';

const zone = '/iot-hub/admin/dc/zone';

/** Fields visible to users who may only assign devices to zones. */
const zoneName = { id: z.int(), zoneName: z.string(), status: z.literal([0, 1]) };

const zoneRow = z.object({
  ...zoneName,
  // Only for users who manage zones.
  zoneType: z.literal([1, 2]).optional(),
  /** Number of nodes. */
  nums: z.int().optional(),
  /** Number of nodes that the hub currently cannot reach. */
  nodesDown: z.int().optional(),
  deviceCount: z.int().optional(),
  routeKey: z.string().optional(),
  address: z.string().optional(),
  isSyncModel: z.literal([0, 1]).optional(),
  /** 1: built in, cannot be deleted. */
  builtin: z.literal([0, 1]).optional(),
  createTime: z.string().optional(),
  updateTime: z.string().optional(),
});
export type ZoneRow = z.output<typeof zoneRow>;

/** Public fields of a certificate. */
const certificateInfo = z.object({
  fileName: z.string(),
  /** `trust`: CA that the hub trusts; `identity`: the hub's client certificate with its key. */
  use: z.enum(['trust', 'identity']),
  subject: z.string(),
  issuer: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  fingerprint: z.string(),
});
export type CertificateInfo = z.output<typeof certificateInfo>;

const nodeState = z.object({
  /** State of the hub's connection to the node; `unused` if it has none. */
  state: z.enum(['unused', 'connecting', 'connected', 'failed']),
  problem: z.enum(nodeProblems).nullable(),
  /** Message in the caller's language; '' without a problem. */
  message: z.string(),
  since: z.string().nullable(),
});

const zoneNode = z.object({
  nodeId: z.string(),
  index: z.int(),
  hostName: z.string(),
  port: z.int(),
  serverType: z.literal([1, 2]),
  username: z.string(),
  tls: z.literal([0, 1]),
  bucketUrl: z.string(),
  bucketZoneId: z.int(),
  /** Whether one is stored; secrets are never returned. */
  hasPassword: z.literal([0, 1]),
  hasApiKey: z.literal([0, 1]),
  certificate: certificateInfo.nullable(),
  ...nodeState.shape,
});
export type ZoneNode = z.output<typeof zoneNode>;

const zoneDetails = zoneRow.required().extend({
  /** Address given to devices, with scheme and port; '' if they use the hub's own listener. */
  deviceAddress: z.string(),
  /** 1: syncs all tenants; 0: those in `syncTenancies`. */
  syncAll: z.literal([0, 1]),
  syncTenancies: z.array(z.object({ tenancyId: z.string(), tenancyName: z.string() })),
  /** Topics of the zone's devices, with placeholders in braces. */
  topics: z.object({ up: z.string(), down: z.string() }),
  nodes: z.array(zoneNode),
});
export type ZoneDetails = z.output<typeof zoneDetails>;

/** Steps of a node test, in order. */
export const nodeSteps = ['address', 'connect', 'tls', 'login', 'subscribe', 'publish'] as const;
const nodeTest = z.object({
  ok: z.literal([0, 1]),
  steps: z.array(z.object({ step: z.enum(nodeSteps), ok: z.literal([0, 1]), ms: z.int(), note: z.string() })),
  problem: z.enum(nodeProblems).nullable(),
  message: z.string(),
  costMs: z.int(),
});
export type NodeTest = z.output<typeof nodeTest>;

const tooLarge = 'CERTIFICATE_TOO_LARGE';
const certificates = {
  field: 'certificate{index}',
  maxBytes: CERTIFICATE_MAX_BYTES,
  max: ZONE_NODES_MAX,
  tooLarge,
} as const;

export const zoneCalls = defineCalls({
  queryZoneList: {
    method: 'GET',
    path: `${zone}/list/page`,
    kind: 'query',
    access: 'zone:list',
    summary: { zh_CN: '可用区列表', en_US: 'List availability zones' },
    input: z.object({
      ...paging,
      ...sorting,
      zoneName: search(),
      status: blankable(formOption([0, 1])),
      zoneType: blankable(formOption([1, 2])),
    }),
    output: pageOf(zoneRow),
  },
  getZoneDetail: {
    method: 'GET',
    path: `${zone}/detail`,
    kind: 'query',
    access: 'zone:read',
    platformOnly: true,
    summary: { zh_CN: '可用区详情', en_US: 'Get an availability zone with its nodes' },
    input: z.object({ id: zoneId() }),
    output: zoneDetails,
  },
  addZone: {
    method: 'POST',
    path: `${zone}/add`,
    kind: 'mutation',
    access: 'zone:write',
    platformOnly: true,
    summary: {
      zh_CN: '新增可用区；nodes 为 JSON 数组，节点的证书文件为 certificate{index}',
      en_US: 'Create a zone; nodes is a JSON array, certificate{index} the certificate file of a node',
    },
    files: certificates,
    input: z.object({ ...zoneFields, status: blankable(flag()) }),
    output: z.object({ id: z.int() }),
  },
  modifyZone: {
    method: 'POST',
    path: `${zone}/modify`,
    kind: 'mutation',
    access: 'zone:write',
    platformOnly: true,
    summary: {
      zh_CN: '修改可用区；未发送的密码和证书保持不变',
      en_US: 'Update a zone; absent passwords and certificates stay unchanged',
    },
    files: certificates,
    input: z.object({ id: zoneId(), ...changedZoneFields }),
    output: z.null(),
  },
  setZoneState: {
    method: 'POST',
    path: `${zone}/state/set`,
    kind: 'mutation',
    access: 'zone:write',
    platformOnly: true,
    summary: { zh_CN: '启用或停用可用区', en_US: 'Enable or disable a zone' },
    input: z.object({ id: zoneId(), status: flag() }),
    output: z.null(),
  },
  removeZone: {
    method: 'DELETE',
    path: `${zone}/remove`,
    kind: 'mutation',
    access: 'zone:write',
    platformOnly: true,
    success: 'deleted',
    summary: { zh_CN: '删除可用区', en_US: 'Delete a zone' },
    input: z.object({ id: zoneId() }),
    output: z.null(),
  },
  testZoneNode: {
    method: 'POST',
    path: `${zone}/node/test`,
    kind: 'mutation',
    access: 'zone:write',
    platformOnly: true,
    summary: {
      zh_CN: '扩展：测试节点连接并说明问题所在',
      en_US: 'Extension: test the connection to a node and describe the problem',
    },
    files: { field: 'certificate', maxBytes: CERTIFICATE_MAX_BYTES, max: 1, tooLarge },
    input: z.object({
      zoneType: zoneFields.zoneType,
      routeKey: blankable(routeKey()),
      /** Existing node whose stored password, API key and certificate are used if none are sent. */
      nodeId: idOrNone().default(''),
      hostName: blankable(innerNodeFields.hostName),
      port: blankable(innerNodeFields.port),
      serverType: blankable(innerNodeFields.serverType),
      username: innerNodeFields.username,
      password: innerNodeFields.password,
      tls: innerNodeFields.tls,
      bucketUrl: blankable(outerNodeFields.bucketUrl),
      bucketZoneId: blankable(outerNodeFields.bucketZoneId),
      apiKey: outerNodeFields.apiKey,
      certificatePassword: innerNodeFields.certificatePassword,
      removeCertificate: innerNodeFields.removeCertificate,
    }),
    output: nodeTest,
  },
  moveZoneDevices: {
    method: 'POST',
    path: `${zone}/devices/move`,
    kind: 'mutation',
    access: 'zone:write',
    platformOnly: true,
    summary: {
      zh_CN: '扩展：立即断开不在其可用区内连接的设备，使其按所属可用区重新连接',
      en_US: 'Extension: disconnect devices that are connected outside their zone, so that they reconnect in it',
    },
    input: z.object({ id: zoneId() }),
    output: z.object({ devices: z.int() }),
  },
});

export type { InnerNode, OuterNode } from './zone-fields.ts';
