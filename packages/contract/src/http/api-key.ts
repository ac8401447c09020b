import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, id, name, search, time } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const apiKey = '/iot-hub/admin/system/apiKey';

/**
 * `role`: it may do what its role may; `sync`: another hub sends products and devices into its application; `broker`: a
 * zone's broker asks who may connect and publish.
 */
export const apiKeyScopes = ['role', 'sync', 'broker'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
export const API_KEY_PREFIX = 'dck_';

const apiKeyRow = z.object({
  keyId: z.string(),
  keyName: z.string(),
  /** Its beginning, by which people tell keys apart. */
  keyHint: z.string(),
  scope: z.enum(apiKeyScopes),
  roleId: z.string(),
  roleName: z.string(),
  applicationId: z.string(),
  applicationName: z.string(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  creator: z.string(),
  createTime: z.string(),
  /** null: it does not end by itself. */
  expireTime: z.string().nullable(),
  expired: z.literal([0, 1]),
  lastUsedTime: z.string().nullable(),
  lastUsedIp: z.string(),
});
export type ApiKeyRow = z.output<typeof apiKeyRow>;

export const apiKeyCalls = defineCalls({
  queryApiKeyList: {
    method: 'GET',
    path: `${apiKey}/queryApiKeyList`,
    kind: 'query',
    access: 'apiKey:read',
    personOnly: true,
    summary: { zh_CN: '扩展：API 密钥列表', en_US: 'Extension: API keys' },
    input: z.object({
      ...paging,
      ...sorting,
      keyName: search(),
      scope: blankable(z.enum(apiKeyScopes)),
      tenancyId: blankable(id()),
    }),
    output: pageOf(apiKeyRow),
  },
  addApiKey: {
    method: 'POST',
    path: `${apiKey}/addApiKey`,
    kind: 'mutation',
    access: 'apiKey:write',
    personOnly: true,
    summary: {
      zh_CN: '扩展：创建 API 密钥，密钥只显示这一次',
      en_US: 'Extension: makes an API key, which is shown this once',
    },
    input: z.object({
      keyName: name(),
      scope: z.enum(apiKeyScopes).default('role'),
      /** Of a key of scope `role`. */
      roleId: blankable(id()),
      /** Of a key of scope `sync`: where received devices land. */
      applicationId: blankable(id()),
      expireTime: blankable(time()),
      tenancyId: blankable(id()),
    }),
    output: z.object({ keyId: z.string(), key: z.string() }),
  },
  revokeApiKey: {
    method: 'DELETE',
    path: `${apiKey}/revokeApiKey`,
    kind: 'mutation',
    access: 'apiKey:write',
    personOnly: true,
    success: 'deleted',
    summary: { zh_CN: '扩展：撤销 API 密钥，立即生效', en_US: 'Extension: revokes an API key, at once' },
    input: z.object({ keyId: id() }),
    output: z.null(),
  },
});
