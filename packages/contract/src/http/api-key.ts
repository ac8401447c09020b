import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, id, name, search, time } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const apiKey = '/iot-hub/admin/system/apiKey';

/**
 * `role`: has the permissions of its role; `sync`: another platform sends products and devices to its application;
 * `broker`: a zone's broker asks which clients may connect and publish.
 */
export const apiKeyScopes = ['role', 'sync', 'broker'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];
export const API_KEY_PREFIX = 'dck_';

const apiKeyRow = z.object({
  keyId: z.string(),
  keyName: z.string(),
  /** First characters of the key, to tell keys apart. */
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
  /** null: never expires. */
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
    requiresUserSession: true,
    summary: { zh_CN: '扩展：API 密钥列表', en_US: 'Extension: list API keys' },
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
    requiresUserSession: true,
    summary: {
      zh_CN: '扩展：新建 API 密钥，密钥只返回一次',
      en_US: 'Extension: create an API key, returned only once',
    },
    input: z.object({
      keyName: name(),
      scope: z.enum(apiKeyScopes).default('role'),
      /** For scope `role`. */
      roleId: blankable(id()),
      /** For scope `sync`: application of received devices. */
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
    requiresUserSession: true,
    success: 'deleted',
    summary: { zh_CN: '扩展：撤销 API 密钥，立即生效', en_US: 'Extension: revoke an API key, effective immediately' },
    input: z.object({ keyId: id() }),
    output: z.null(),
  },
});
