import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, id, search } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { connectRow } from './connection.ts';
import { deviceManage } from './device.ts';

/** What one device was refused for, how often and when. */
const refusedGroup = z.object({
  /** The latest of its records. */
  id: z.string(),
  deviceId: z.string(),
  /** '' where no device of the caller's has this id. */
  deviceName: z.string(),
  productId: z.string(),
  /** '' where there is no such product any more. */
  productName: z.string(),
  /** The protocol's word. */
  reason: z.string(),
  count: z.int(),
  firstTime: z.string(),
  lastTime: z.string(),
  /** Of the latest: where it was refused, with what detail, and where it came from. */
  place: z.string(),
  detail: z.string(),
  ip: z.string(),
  transport: z.string(),
});
export type RefusedGroup = z.output<typeof refusedGroup>;

const input = z.object({
  ...paging,
  sortMode: sorting.sortMode,
  productId: blankable(id()),
  deviceId: search(),
  tenancyId: blankable(id()),
});

export const refusedLoginCalls = defineCalls({
  queryRefusedLogins: {
    method: 'GET',
    path: `${deviceManage}/queryRefusedLogins`,
    kind: 'query',
    access: 'device:read',
    summary: {
      zh_CN: '扩展：被拒绝的登录、连接和消息（每租户最近 1000 条），含未登记的设备 ID',
      en_US: 'Extension: refused log-ins, connections and messages (the latest 1000 of a tenant), of unknown ids too',
    },
    input,
    output: pageOf(connectRow),
  },
  queryRefusedLoginGroups: {
    method: 'GET',
    path: `${deviceManage}/queryRefusedLoginGroups`,
    kind: 'query',
    access: 'device:read',
    summary: {
      zh_CN: '扩展：最近 1000 条被拒绝的登录，按设备与原因分组，按最近一次排序',
      en_US: 'Extension: the latest 1000 refused log-ins by device and cause, in the order of the latest of each',
    },
    input,
    output: pageOf(refusedGroup),
  },
});
