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

/** What whoever may place a device sees of a zone. */
const zoneName = { id: z.int(), zoneName: z.string(), status: z.literal([0, 1]) };

const zoneRow = z.object({
  ...zoneName,
  // The rest is for those who manage zones.
  zoneType: z.literal([1, 2]).optional(),
  /** How many nodes it has. */
  nums: z.int().optional(),
  /** How many of its nodes the hub cannot reach just now. */
  nodesDown: z.int().optional(),
  deviceCount: z.int().optional(),
  routeKey: z.string().optional(),
  address: z.string().optional(),
  isSyncModel: z.literal([0, 1]).optional(),
  /** 1: born with the hub, cannot be deleted. */
  builtin: z.literal([0, 1]).optional(),
  createTime: z.string().optional(),
  updateTime: z.string().optional(),
});
export type ZoneRow = z.output<typeof zoneRow>;

/** What can be told of a certificate file without giving it away. */
const certificateFacts = z.object({
  fileName: z.string(),
  /** `trust`: whom the hub believes; `identity`: what the hub shows of itself, with its key. */
  use: z.enum(['trust', 'identity']),
  subject: z.string(),
  issuer: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  fingerprint: z.string(),
});
export type CertificateFacts = z.output<typeof certificateFacts>;

const nodeState = z.object({
  /** How the hub's own connection to it stands; `unused` where it keeps none. */
  state: z.enum(['unused', 'connecting', 'connected', 'failed']),
  problem: z.enum(nodeProblems).nullable(),
  /** In the reader's language; '' when nothing is wrong. */
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
  /** Whether one is stored. The secret itself is never sent to a browser again. */
  hasPassword: z.literal([0, 1]),
  hasApiKey: z.literal([0, 1]),
  certificate: certificateFacts.nullable(),
  ...nodeState.shape,
});
export type ZoneNode = z.output<typeof zoneNode>;

const zoneDetails = zoneRow.required().extend({
  /** As its devices are sent there, with scheme and port; '' where they are sent to the hub's own listener. */
  deviceAddress: z.string(),
  /** 1: all tenants are synchronised to its nodes; 0: those of `syncTenancies`. */
  syncAll: z.literal([0, 1]),
  syncTenancies: z.array(z.object({ tenancyId: z.string(), tenancyName: z.string() })),
  /** The topics of its devices, with words in braces for what differs. */
  topics: z.object({ up: z.string(), down: z.string() }),
  nodes: z.array(zoneNode),
});
export type ZoneDetails = z.output<typeof zoneDetails>;

/** What the test of a node went through, in order, and where it ended. */
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
    summary: { zh_CN: '可用区列表', en_US: 'Availability zones' },
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
    summary: { zh_CN: '可用区详情', en_US: 'One availability zone with its nodes' },
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
      en_US: 'Adds a zone; nodes is a JSON array, the file of a node the part certificate{index}',
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
      en_US: 'Changes a zone; an absent password or certificate keeps the stored one',
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
    summary: { zh_CN: '启用或停用可用区', en_US: 'Enables or disables a zone' },
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
    summary: { zh_CN: '删除可用区', en_US: 'Deletes a zone' },
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
      en_US: 'Extension: tries to reach a node and says in words what is wrong with it',
    },
    files: { field: 'certificate', maxBytes: CERTIFICATE_MAX_BYTES, max: 1, tooLarge },
    input: z.object({
      zoneType: zoneFields.zoneType,
      routeKey: blankable(routeKey()),
      /** Of a stored node: its own password, key and certificate are used where none is sent. */
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
      en_US: 'Extension: cuts the devices that are connected elsewhere than in their zone, so that they move at once',
    },
    input: z.object({ id: zoneId() }),
    output: z.object({ devices: z.int() }),
  },
});

export type { InnerNode, OuterNode } from './zone-fields.ts';
