import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { address, blankable, email, flag, id, idList, personName, phone, search, systemName } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const tenancy = '/iot-hub/admin/system/tenancy';

const tenancyRow = z.object({
  tenancyId: z.string(),
  tenancyName: z.string(),
  companyName: z.string(),
  contactName: z.string(),
  phone: z.string(),
  email: z.string(),
  companyAddress: z.string(),
  enabled: flag(),
  /** The platform tenant cannot be changed. */
  builtin: flag(),
  applicationCount: z.int(),
  /** Number of enabled applications; disabling the tenant disables them. */
  enabledApplicationCount: z.int(),
  userCount: z.int(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type TenancyRow = z.output<typeof tenancyRow>;

const tenancyFields = {
  tenancyName: systemName(),
  companyName: systemName(),
  contactName: personName(),
  phone: phone(),
  email: email(),
  companyAddress: address(),
};

export const tenancyCalls = defineCalls({
  queryTenancyList: {
    method: 'GET',
    path: `${tenancy}/queryTenancyList`,
    kind: 'query',
    access: 'tenancy:list',
    platformOnly: true,
    summary: { zh_CN: '租户列表，按名称和公司查询', en_US: 'List tenants, by name and company' },
    input: z.object({
      ...paging,
      ...sorting,
      tenancyName: search(),
      companyName: search(),
      enabled: blankable(flag()),
    }),
    output: pageOf(tenancyRow),
  },
  getTenancyDetails: {
    method: 'GET',
    path: `${tenancy}/getTenancyDetails`,
    kind: 'query',
    access: 'tenancy:read',
    platformOnly: true,
    summary: { zh_CN: '租户详情', en_US: 'Get a tenant' },
    input: z.object({ tenancyId: id() }),
    output: tenancyRow,
  },
  addTenancy: {
    method: 'PUT',
    path: `${tenancy}/addTenancy`,
    kind: 'mutation',
    access: 'tenancy:write',
    platformOnly: true,
    summary: { zh_CN: '新建租户，默认启用', en_US: 'Create a tenant, enabled' },
    input: z.object(tenancyFields),
    output: z.object({ tenancyId: z.string() }),
  },
  updateTenancy: {
    method: 'POST',
    path: `${tenancy}/updateTenancy`,
    kind: 'mutation',
    access: 'tenancy:write',
    platformOnly: true,
    summary: {
      zh_CN: '修改租户；enabled 的作用同 updateEnabledStatus',
      en_US: 'Update a tenant; enabled works like updateEnabledStatus',
    },
    input: z.object({ tenancyId: id(), ...tenancyFields, enabled: blankable(flag()) }),
    output: z.null(),
  },
  updateEnabledStatus: {
    method: 'POST',
    path: `${tenancy}/updateEnabledStatus`,
    kind: 'mutation',
    access: 'tenancy:write',
    platformOnly: true,
    summary: {
      zh_CN: '停用或启用租户；停用会停用其应用并结束其用户的会话',
      en_US: "Disable or enable a tenant; disabling it disables its applications and ends its users' sessions",
    },
    input: z.object({ tenancyId: id(), enabled: flag() }),
    output: z.object({ disabledApplications: z.int() }),
  },
  deleteTenancy: {
    method: 'DELETE',
    path: `${tenancy}/deleteTenancy`,
    kind: 'mutation',
    access: 'tenancy:write',
    platformOnly: true,
    summary: { zh_CN: '删除没有应用和用户的租户', en_US: 'Delete a tenant without applications and users' },
    input: z.object({ tenancyId: id() }),
    output: z.null(),
    success: 'deleted',
  },
  deleteTenancies: {
    method: 'DELETE',
    path: `${tenancy}/deleteTenancies`,
    kind: 'mutation',
    access: 'tenancy:write',
    platformOnly: true,
    summary: { zh_CN: '批量删除租户，全部成功或全部不变', en_US: 'Delete tenants, all or none' },
    input: z.object({ tenancyId: idList() }),
    output: z.object({ deleted: z.int() }),
    success: 'deleted',
  },
});
