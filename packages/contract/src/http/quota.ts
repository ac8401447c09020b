import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, formInt, id } from '../fields.ts';

const quota = '/iot-hub/admin/system/quota';

/**
 * Default quotas of a tenant. Null means no fixed limit: when the records of all tenants exceed RETENTION_BYTES, the hub
 * deletes the oldest records of the tenants that store the maximums.
 */
export const quotaDefaults = {
  messagesPerSecond: 5_000,
  deviceMessagesPerSecond: 500,
  messagesPerDay: 50_000_000,
  storedBytes: null,
  uploadBytes: 20 * 1024 ** 3,
  textsPerDay: 200,
  userTextsPerDay: 20,
} as const satisfies Record<string, number | null>;

export type QuotaName = keyof typeof quotaDefaults;
export const quotaNames = Object.keys(quotaDefaults) as QuotaName[];

const maximums = {
  messagesPerSecond: 1_000_000,
  deviceMessagesPerSecond: 1_000_000,
  messagesPerDay: 1_000_000_000_000,
  storedBytes: 100 * 1024 ** 4,
  uploadBytes: 100 * 1024 ** 4,
  textsPerDay: 1_000_000,
  userTextsPerDay: 1_000_000,
} satisfies Record<QuotaName, number>;

const limit = (name: QuotaName) => blankable(formInt(1, maximums[name]));

const quotaRow = z.object({
  name: z.enum(quotaNames),
  /** Null: no fixed limit. */
  limit: z.int().nullable(),
  /** 1 if the limit is set for the tenant, 0 if it is the default. */
  own: z.literal([0, 1]),
  /** Current usage, or usage today (UTC); null for rates, which are not counted. */
  used: z.int().nullable(),
});
export type QuotaRow = z.output<typeof quotaRow>;

const quotas = z.object({ quotas: z.array(quotaRow) });

export const quotaCalls = defineCalls({
  getOwnQuotas: {
    method: 'GET',
    path: `${quota}/getOwnQuotas`,
    kind: 'query',
    access: 'signed-in',
    requiresUserSession: true,
    summary: { zh_CN: '本租户的配额和用量', en_US: "Get the quotas and usage of the caller's tenant" },
    input: z.object({}),
    output: quotas,
  },
  getTenancyQuotas: {
    method: 'GET',
    path: `${quota}/getTenancyQuotas`,
    kind: 'query',
    access: 'tenancy:read',
    platformOnly: true,
    summary: { zh_CN: '租户的配额和用量', en_US: 'Get the quotas and usage of a tenant' },
    input: z.object({ tenancyId: id() }),
    output: quotas,
  },
  updateTenancyQuotas: {
    method: 'POST',
    path: `${quota}/updateTenancyQuotas`,
    kind: 'mutation',
    access: 'tenancy:write',
    platformOnly: true,
    summary: {
      zh_CN: '设置租户的配额；未填写的项使用默认值',
      en_US: 'Set the quotas of a tenant; omitted ones use their default',
    },
    input: z.object({
      tenancyId: id(),
      messagesPerSecond: limit('messagesPerSecond'),
      deviceMessagesPerSecond: limit('deviceMessagesPerSecond'),
      messagesPerDay: limit('messagesPerDay'),
      storedBytes: limit('storedBytes'),
      uploadBytes: limit('uploadBytes'),
      textsPerDay: limit('textsPerDay'),
      userTextsPerDay: limit('userTextsPerDay'),
    }),
    output: z.null(),
  },
});
