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
  /** How many of them are enabled, that is, how many closing the tenant would disable. */
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
    summary: 'Tenants, by name and company',
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
    summary: 'One tenant',
    input: z.object({ tenancyId: id() }),
    output: tenancyRow,
  },
  addTenancy: {
    method: 'PUT',
    path: `${tenancy}/addTenancy`,
    kind: 'command',
    access: 'tenancy:write',
    platformOnly: true,
    summary: 'Make a tenant, enabled',
    input: z.object(tenancyFields),
    output: z.object({ tenancyId: z.string() }),
  },
  updateTenancy: {
    method: 'POST',
    path: `${tenancy}/updateTenancy`,
    kind: 'command',
    access: 'tenancy:write',
    platformOnly: true,
    summary: 'Change a tenant; enabled acts as updateEnabledStatus',
    input: z.object({ tenancyId: id(), ...tenancyFields, enabled: blankable(flag()) }),
    output: z.null(),
  },
  updateEnabledStatus: {
    method: 'POST',
    path: `${tenancy}/updateEnabledStatus`,
    kind: 'command',
    access: 'tenancy:write',
    platformOnly: true,
    summary: "Close or open a tenant; closing disables its applications and ends its users' sessions",
    input: z.object({ tenancyId: id(), enabled: flag() }),
    output: z.object({ disabledApplications: z.int() }),
  },
  deleteTenancy: {
    method: 'DELETE',
    path: `${tenancy}/deleteTenancy`,
    kind: 'command',
    access: 'tenancy:write',
    platformOnly: true,
    summary: 'Delete a tenant without applications and users',
    input: z.object({ tenancyId: id() }),
    output: z.null(),
    success: 'deleted',
  },
  deleteTenancies: {
    method: 'DELETE',
    path: `${tenancy}/deleteTenancies`,
    kind: 'command',
    access: 'tenancy:write',
    platformOnly: true,
    summary: 'Delete several tenants, all or none',
    input: z.object({ tenancyId: idList() }),
    output: z.object({ deleted: z.int() }),
    success: 'deleted',
  },
});
