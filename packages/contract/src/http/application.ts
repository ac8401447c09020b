import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, flag, id, idList, name, search } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const application = '/iot-hub/admin/system/tenancy/application';

const applicationRow = z.object({
  applicationId: z.string(),
  applicationName: z.string(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  tenancyEnabled: flag(),
  enabled: flag(),
  deviceCount: z.int(),
  creator: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type ApplicationRow = z.output<typeof applicationRow>;

export const applicationCalls = defineCalls({
  queryApplicationList: {
    method: 'GET',
    path: `${application}/queryApplicationList`,
    kind: 'query',
    access: 'application:list',
    summary: {
      zh_CN: '应用列表；searchValue 匹配名称和 ID',
      en_US: 'List applications; searchValue matches name and ID',
    },
    input: z.object({
      ...paging,
      ...sorting,
      searchValue: search(),
      applicationId: blankable(id()),
      tenancyId: blankable(id()),
      enabled: blankable(flag()),
    }),
    output: pageOf(applicationRow),
  },
  getApplicationDetails: {
    method: 'GET',
    path: `${application}/getApplicationDetails`,
    kind: 'query',
    access: 'application:read',
    summary: { zh_CN: '应用详情', en_US: 'Get an application' },
    input: z.object({ applicationId: id() }),
    output: applicationRow,
  },
  addApplication: {
    method: 'PUT',
    path: `${application}/addApplication`,
    kind: 'mutation',
    access: 'application:write',
    summary: {
      zh_CN: '新建应用，默认启用；tenancyId 供平台用户使用',
      en_US: 'Create an application, enabled; tenancyId is for platform users',
    },
    input: z.object({ applicationName: name(), tenancyId: blankable(id()) }),
    output: z.object({ applicationId: z.string() }),
  },
  updateApplication: {
    method: 'POST',
    path: `${application}/updateApplication`,
    kind: 'mutation',
    access: 'application:write',
    summary: { zh_CN: '修改应用名称', en_US: 'Rename an application' },
    input: z.object({ applicationId: id(), applicationName: name() }),
    output: z.null(),
  },
  updateEnabledStatus: {
    method: 'POST',
    path: `${application}/updateEnabledStatus`,
    kind: 'mutation',
    access: 'application:write',
    summary: { zh_CN: '启用或停用应用', en_US: 'Enable or disable an application' },
    input: z.object({ applicationId: id(), enabled: flag() }),
    output: z.null(),
  },
  deleteApplication: {
    method: 'DELETE',
    path: `${application}/deleteApplication`,
    kind: 'mutation',
    access: 'application:write',
    summary: {
      zh_CN: '删除应用，全部成功或全部不变。删除应用会删除其全部设备',
      en_US: 'Delete applications, all or none. Deleting an application deletes all linked devices',
    },
    input: z.object({ applicationIds: idList() }),
    output: z.object({ deleted: z.int() }),
    success: 'deleted',
  },
});
